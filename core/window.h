// Which input pixels a kernel window covers.
#pragma once

#include <cstdint>

#include "core/problem.h"

namespace xnorbench {

/// Calls f(tap, input pixel) for each tap of the window of output pixel `pixel`, row by row. Pixels
/// are numbered in the order N, H, W; the input pixel is -1 outside the tensor. `out_height` and
/// `out_width` are the shape's: the caller computes them, as each costs a division.
template <typename F>
void for_each_tap(const ConvShape& s, std::int64_t out_height, std::int64_t out_width,
                  std::int64_t pixel, F&& f) {
  const std::int64_t row = pixel / out_width;
  const std::int64_t left = pixel % out_width * s.stride_width - s.pad_width;
  const std::int64_t top = row % out_height * s.stride_height - s.pad_height;
  const std::int64_t image = row / out_height * s.in_height;
  std::int64_t tap = 0;
  for (std::int64_t ky = 0; ky < s.kernel_height; ++ky) {
    const std::int64_t y = top + ky * s.dilation_height;
    const bool row_inside = y >= 0 && y < s.in_height;
    for (std::int64_t kx = 0; kx < s.kernel_width; ++kx, ++tap) {
      const std::int64_t x = left + kx * s.dilation_width;
      f(tap, row_inside && x >= 0 && x < s.in_width ? (image + y) * s.in_width + x : -1);
    }
  }
}

}  // namespace xnorbench
