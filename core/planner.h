// Places buffers in one arena by lifetime: two that never live at the same time may share bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace xnorbench {

/// A buffer lives from step `birth` to step `death`, both included.
struct Lifetime {
  std::size_t bytes = 0;
  std::size_t birth = 0, death = 0;
};

struct ArenaPlan {
  std::vector<std::size_t> offsets;  ///< one per lifetime, multiples of buffer_alignment
  std::size_t bytes = 0;             ///< size of the arena
  std::size_t lower_bound =
      0;  ///< the peak with every size rounded up to buffer_alignment: no plan can be smaller
};

/// The first step at which the sum of bytes alive is largest.
struct Peak {
  std::size_t step = 0;
  std::size_t bytes = 0;
};
Peak find_peak(std::span<const Lifetime> lifetimes);

/// Greedy: largest first, and in order of birth, each at the lowest offset that is free over its
/// life; then both improved by placing what sticks out first.
ArenaPlan plan_arena(std::span<const Lifetime> lifetimes);

}  // namespace xnorbench
