#include "reference/oracle.h"

#include <algorithm>

#include "core/sign.h"

namespace xnorbench {

std::vector<std::int8_t> to_signs(std::span<const float> values, ZeroRule rule) {
  std::vector<std::int8_t> signs(values.size());
  std::transform(values.begin(), values.end(), signs.begin(),
                 [rule](float x) { return static_cast<std::int8_t>(sign_of(x, rule)); });
  return signs;
}

std::vector<std::int64_t> oracle_sums(const ConvProblem& problem,
                                      std::span<const std::int8_t> signs,
                                      std::span<const float> weights) {
  const ConvShape& s = problem.shape;
  const std::int64_t ic = s.group_in_channels();
  const std::int64_t oc = s.group_out_channels();
  const std::int64_t pad = static_cast<int>(problem.pad_value);

  // O, KH, KW, I: channels innermost, like the tensor.
  std::vector<std::int8_t> w(weights.size());
  for (std::int64_t o = 0; o < s.out_channels; ++o)
    for (std::int64_t c = 0; c < ic; ++c)
      for (std::int64_t tap = 0; tap < s.taps(); ++tap)
        w[static_cast<std::size_t>((o * s.taps() + tap) * ic + c)] = static_cast<std::int8_t>(
            sign_of(weights[static_cast<std::size_t>((o * ic + c) * s.taps() + tap)],
                    problem.zero_rule));

  std::vector<std::int64_t> sums(static_cast<std::size_t>(s.output_count()));
  const std::int64_t rows = s.batch * s.out_height();
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t n = row / s.out_height();
    const std::int64_t oy = row % s.out_height();
    for (std::int64_t ox = 0; ox < s.out_width(); ++ox)
      for (std::int64_t o = 0; o < s.out_channels; ++o) {
        std::int64_t sum = 0;
        for (std::int64_t ky = 0; ky < s.kernel_height; ++ky)
          for (std::int64_t kx = 0; kx < s.kernel_width; ++kx) {
            const std::int64_t iy = oy * s.stride_height - s.pad_height + ky * s.dilation_height;
            const std::int64_t ix = ox * s.stride_width - s.pad_width + kx * s.dilation_width;
            const bool inside = iy >= 0 && iy < s.in_height && ix >= 0 && ix < s.in_width;
            const std::int8_t* const tap_weights = &w[static_cast<std::size_t>(
                ((o * s.kernel_height + ky) * s.kernel_width + kx) * ic)];
            const std::int64_t pixel = (n * s.in_height + iy) * s.in_width + ix;
            const std::int8_t* const a =
                inside ? &signs[static_cast<std::size_t>(pixel * s.in_channels + o / oc * ic)]
                       : nullptr;
            std::int32_t tap_sum = 0;  // one tap has fewer than 2^31 channels
            for (std::int64_t c = 0; c < ic; ++c)
              tap_sum += tap_weights[c] * (inside ? a[c] : static_cast<std::int8_t>(pad));
            sum += tap_sum;
          }
        sums[static_cast<std::size_t>((row * s.out_width() + ox) * s.out_channels + o)] = sum;
      }
  }
  return sums;
}

}  // namespace xnorbench
