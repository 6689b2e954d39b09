// The largest number whose cost fits, found with few evaluations of the cost.
#pragma once

#include <cstdint>
#include <functional>

namespace xnorbench {

/// The largest n from 1 to `most` with cost(n) <= limit, or 0 if cost(1) > limit. `cost` must not
/// fall as n grows. A few calls are enough if it is nearly a straight line, and never more than
/// twice log2(most).
std::int64_t largest_fitting(std::int64_t most, double limit,
                             const std::function<double(std::int64_t)>& cost);

}  // namespace xnorbench
