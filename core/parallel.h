// Loops over pixels, divided among threads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace xnorbench {

/// Cuts `pixels` pixels into stretches of at most 64 and calls f(first, count) for each. A stretch
/// is long enough to make the call cheap, and short enough to stay in the caches from one loop to
/// the next.
template <typename F>
void for_each_stretch(std::int64_t pixels, int threads, F f) {
  constexpr std::int64_t longest = 64;
  const std::int64_t share = (pixels + threads - 1) / threads;
  const std::int64_t length = std::clamp<std::int64_t>(share, 1, longest);
  const std::int64_t stretches = (pixels + length - 1) / length;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t i = 0; i < stretches; ++i) f(i * length, std::min(length, pixels - i * length));
}

}  // namespace xnorbench
