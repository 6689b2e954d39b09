// How large float sums can be and still be exact.
#pragma once

#include <fmt/format.h>

#include "core/implementation.h"

namespace xnorbench {

/// A float holds every whole number up to 2^24 exactly; no partial sum may be larger.
inline Support exact_in_float(std::int64_t largest_sum) {
  constexpr std::int64_t limit = std::int64_t{1} << 24;
  if (largest_sum <= limit) return {};
  return Support::unsupported(
      fmt::format("sums up to {} are not exact in float (at most 2^24)", largest_sum));
}

}  // namespace xnorbench
