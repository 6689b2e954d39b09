// Inference batch norm as an affine tensor in float, and sign(batch norm(sum)) as an integer
// threshold.
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

/// The same by pointers; scale null means the identity.
struct AffineView {
  const float* scale = nullptr;
  const float* shift = nullptr;

  /// Of the channels from `channel` on.
  AffineView from(std::int64_t channel) const {
    return scale ? AffineView{scale + channel, shift + channel} : AffineView{};
  }
};

/// scale = gamma / sqrt(var + eps), shift = beta - mean * gamma / sqrt(var + eps), computed in
/// double and rounded once.
Affine to_affine(const BatchNorm& batch_norm);

/// The value of a binary layer for an exact sum: fl(fl(alpha * float(sum)) + bias).
[[gnu::always_inline]] inline float layer_value(float alpha, std::int64_t sum, float bias) {
  const float product = alpha * static_cast<float>(sum);
  return product + bias;
}

/// x > 0 ? x : slope * x, and 0 (never -0 or NaN) for all else when the slope is 0.
[[gnu::always_inline]] inline float relu(float x, float slope) {
  return x > 0.0F ? x : slope == 0.0F ? 0.0F : slope * x;
}

/// sign(affine(layer_value(sum))) for integer sums. The sign is +1 iff (sum ^ flip) >= limit with
/// flip 0 or -1: ~sum = -sum-1 turns "sum <= t" into "~sum >= ~t". Constants are limit = INT32_MIN
/// (+1) and INT32_MAX (-1; no sum reaches it since K < 2^31 - 1 there).
struct SumThreshold {
  std::int32_t limit = 0;
  std::int32_t flip = 0;

  bool is_negative(std::int32_t sum) const { return (sum ^ flip) < limit; }
};

/// Finds the threshold by bisecting the float expression itself over -k..k. Every tensor in it is
/// monotone under rounding, so there is at most one change of sign; a closed form would miss ties.
/// Parameters must keep the layer's value finite: with scale = 0 an overflow to infinity gives NaN,
/// and no threshold has three intervals.
SumThreshold find_threshold(float alpha, float bias, float scale, float shift, ZeroRule rule,
                            std::int64_t k);

/// One threshold per output channel; `bias` may be empty (zeros).
std::vector<SumThreshold> find_thresholds(std::span<const float> alpha, std::span<const float> bias,
                                          const Affine& affine, ZeroRule rule, std::int64_t k);

}  // namespace xnorbench
