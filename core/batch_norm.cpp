#include "core/batch_norm.h"

#include <cmath>
#include <limits>

#include "core/sign.h"

namespace xnorbench {

Affine to_affine(const BatchNorm& batch_norm) {
  const std::size_t channels = batch_norm.gamma.size();
  Affine affine;
  affine.scale.resize(channels);
  affine.shift.resize(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const double factor =
        batch_norm.gamma[c] / std::sqrt(batch_norm.variance[c] + batch_norm.epsilon);
    affine.scale[c] = static_cast<float>(factor);
    affine.shift[c] = static_cast<float>(batch_norm.beta[c] - batch_norm.mean[c] * factor);
  }
  return affine;
}

SumThreshold find_threshold(float alpha, float bias, float scale, float shift, ZeroRule rule,
                            std::int64_t k) {
  auto negative = [&](std::int64_t sum) {
    const float product = layer_value(alpha, sum, bias) * scale;
    return is_negative(product + shift, rule);
  };
  const bool low_negative = negative(-k);
  if (low_negative == negative(k)) {
    const auto limit = low_negative ? std::numeric_limits<std::int32_t>::max()
                                    : std::numeric_limits<std::int32_t>::min();
    return {limit, 0};
  }
  // Invariant: `low` has the sign of -k, `high` that of k.
  std::int64_t low = -k;
  std::int64_t high = k;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (negative(middle) == low_negative ? low : high) = middle;
  }
  // Rising: +1 from `high` on. Falling: +1 up to `low`, that is ~sum >= ~low.
  if (low_negative) return {static_cast<std::int32_t>(high), 0};
  return {static_cast<std::int32_t>(~low), -1};
}

std::vector<SumThreshold> find_thresholds(std::span<const float> alpha, std::span<const float> bias,
                                          const Affine& affine, ZeroRule rule, std::int64_t k) {
  std::vector<SumThreshold> thresholds(alpha.size());
  for (std::size_t o = 0; o < alpha.size(); ++o)
    thresholds[o] = find_threshold(alpha[o], bias.empty() ? 0.0F : bias[o], affine.scale[o],
                                   affine.shift[o], rule, k);
  return thresholds;
}

}  // namespace xnorbench
