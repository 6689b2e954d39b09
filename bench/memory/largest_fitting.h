// The largest number whose cost fits, when a look at a cost is dear.
#pragma once

#include <cstdint>
#include <functional>

namespace xnorbench {

/// The largest n from 1 to `most` with cost(n) <= limit, 0 when cost(1) is more. `cost` does not
/// fall with n and is nearly a straight line: a few calls find the answer, and twice log2(most) are
/// enough whatever it is.
std::int64_t largest_fitting(std::int64_t most, double limit,
                             const std::function<double(std::int64_t)>& cost);

}  // namespace xnorbench
