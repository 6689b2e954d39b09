#include "core/weights.h"

#include <algorithm>

#include "core/sign.h"

namespace xnorbench {

void to_ohwi(const ConvShape& shape, std::span<const float> oihw, float* ohwi) {
  const std::int64_t channels = shape.group_in_channels();
  const std::int64_t taps = shape.taps();
  for (std::int64_t o = 0; o < shape.out_channels; ++o)
    for (std::int64_t tap = 0; tap < taps; ++tap)
      for (std::int64_t c = 0; c < channels; ++c)
        *ohwi++ = oihw[static_cast<std::size_t>((o * channels + c) * taps + tap)];
}

std::vector<float> sign_values(std::span<const float> values, ZeroRule rule) {
  std::vector<float> signs(values.size());
  std::transform(values.begin(), values.end(), signs.begin(),
                 [rule](float w) { return static_cast<float>(sign_of(w, rule)); });
  return signs;
}

Buffer float_sign_weights(const ConvProblem& problem, std::span<const float> oihw, Ledger& ledger) {
  Buffer buffer =
      ledger.allocate(Category::weights_packed, oihw.size() * sizeof(float), "weights as floats");
  to_ohwi(problem.shape, sign_values(oihw, problem.zero_rule), buffer.as<float>());
  return buffer;
}

}  // namespace xnorbench
