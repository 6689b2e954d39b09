// Places buffers in one arena by their lifetimes: two buffers that never live at the same time may
// share bytes.
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
  /// No plan can be smaller: the peak of bytes alive, each size rounded up to buffer_alignment.
  std::size_t lower_bound = 0;
};

/// The first step at which the sum of bytes alive is largest.
struct Peak {
  std::size_t step = 0;
  std::size_t bytes = 0;
};
Peak find_peak(std::span<const Lifetime> lifetimes);

/// Greedy: each buffer goes to the lowest offset that is free over its life. Two orders are tried,
/// largest first and by birth, and each is improved by placing first what sticks out at the end.
/// The smaller plan wins.
ArenaPlan plan_arena(std::span<const Lifetime> lifetimes);

}  // namespace xnorbench
