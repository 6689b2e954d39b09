// How far the output of a network on a GPU is from the reference on the CPU.
#pragma once

#include <cstdint>

namespace xnorbench {

struct Deviation {
  std::int64_t flipped_signs = 0;  ///< of all binarised tensors
  double largest_difference = 0;   ///< of the output
  double largest_value = 0;        ///< of the reference's output
  /// Channels of the output (one heatmap for each landmark) whose largest value is at another pixel
  /// than the reference's. If the output is one pixel: images whose largest channel (the class) is
  /// another.
  std::int64_t moved_peaks = 0;
};

}  // namespace xnorbench
