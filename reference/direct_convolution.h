// One output pixel of a float convolution by a plain loop nest: the unoptimised baseline of the
// papers, and the slowest float backend.
#pragma once

#include <cstdint>

#include "core/problem.h"

namespace xnorbench {

/// `source`: N, H, W, C. `weights`: O, KH, KW, I/groups. `sums`: all output channels of output
/// pixel `pixel` (in the order N, H, W), added up tap by tap, channel by channel. Elements outside
/// the tensor are `pad`.
inline void direct_convolution_pixel(const ConvShape& s, float pad, const float* source,
                                     const float* weights, std::int64_t pixel, float* sums) {
  const std::int64_t ox = pixel % s.out_width();
  const std::int64_t oy = pixel / s.out_width() % s.out_height();
  const std::int64_t n = pixel / s.out_width() / s.out_height();
  const std::int64_t ic = s.group_in_channels();
  for (std::int64_t o = 0; o < s.out_channels; ++o) {
    const float* const group = source + o / s.group_out_channels() * ic;
    float sum = 0.0F;
    for (std::int64_t ky = 0; ky < s.kernel_height; ++ky)
      for (std::int64_t kx = 0; kx < s.kernel_width; ++kx) {
        const std::int64_t iy = oy * s.stride_height - s.pad_height + ky * s.dilation_height;
        const std::int64_t ix = ox * s.stride_width - s.pad_width + kx * s.dilation_width;
        const float* const w = weights + ((o * s.kernel_height + ky) * s.kernel_width + kx) * ic;
        if (iy >= 0 && iy < s.in_height && ix >= 0 && ix < s.in_width) {
          const float* const a = group + ((n * s.in_height + iy) * s.in_width + ix) * s.in_channels;
          for (std::int64_t c = 0; c < ic; ++c) sum += a[c] * w[c];
        } else {
          for (std::int64_t c = 0; c < ic; ++c) sum += pad * w[c];
        }
      }
    sums[o] = sum;
  }
}

}  // namespace xnorbench
