// Batch norm at inference: an affine function in float, or, before a sign, an integer threshold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"

namespace xnorbench {

/// Trained parameters, one value per channel.
struct BatchNorm {
  std::vector<float> gamma, beta, mean, variance;
  double epsilon = 1e-5;
};

/// y = fl(fl(x * scale) + shift), per channel.
struct Affine {
  std::vector<float> scale, shift;

  float operator()(float x, std::size_t channel) const {
    const float product = x * scale[channel];
    return product + shift[channel];
  }
};

/// The same by pointers, one value per channel. If scale is null it is the identity.
struct AffineView {
  const float* scale = nullptr;
  const float* shift = nullptr;

  /// Of the channels from `channel` on.
  AffineView from(std::int64_t channel) const {
    return scale ? AffineView{scale + channel, shift + channel} : AffineView{};
  }
};

/// scale = gamma / sqrt(var + eps) and shift = beta - mean * gamma / sqrt(var + eps), computed in
/// double and rounded once.
Affine to_affine(const BatchNorm& batch_norm);

/// The value of a binary layer for an exact sum: fl(fl(alpha * float(sum)) + bias).
[[gnu::always_inline]] inline float layer_value(float alpha, std::int64_t sum, float bias) {
  const float product = alpha * static_cast<float>(sum);
  return product + bias;
}

/// x > 0 ? x : slope * x. With a slope of 0 all else becomes +0, even -0 and NaN.
[[gnu::always_inline]] inline float relu(float x, float slope) {
  return x > 0.0F ? x : slope == 0.0F ? 0.0F : slope * x;
}

/// sign(affine(layer_value(sum))) for integer sums. The sign is +1 iff (sum ^ flip) >= limit, where
/// flip is 0 or -1: since ~sum = -sum - 1, "sum <= t" is "~sum >= ~t". A sign that is always +1 has
/// limit = INT32_MIN; one that is always -1 has INT32_MAX, which no sum reaches since K < 2^31 - 1.
struct SumThreshold {
  std::int32_t limit = 0;
  std::int32_t flip = 0;

  bool is_negative(std::int32_t sum) const { return (sum ^ flip) < limit; }
};

/// Finds the threshold by bisecting the float expression itself over -k..k. Every step of it is
/// monotone under rounding, so the sign changes at most once. A closed form would miss ties.
/// Parameters must keep the layer's value finite: with scale = 0 an overflow to infinity gives NaN,
/// and the sign would change twice.
SumThreshold find_threshold(float alpha, float bias, float scale, float shift, ZeroRule rule,
                            std::int64_t k);

/// One threshold per output channel; `bias` may be empty (zeros).
std::vector<SumThreshold> find_thresholds(std::span<const float> alpha, std::span<const float> bias,
                                          const Affine& affine, ZeroRule rule, std::int64_t k);

}  // namespace xnorbench
