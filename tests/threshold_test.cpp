// Batch norm and sign after a binary layer fold into one integer comparison per channel. A
// threshold solved for in closed form flips signs at ties, so the folded comparison is held against
// the float expression itself at every integer that a sum can be.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/batch_norm.h"
#include "core/random.h"

namespace xnorbench {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array both_rules{ZeroRule::plus, ZeroRule::minus};

struct Channel {
  float alpha, bias, scale, shift;
};

/// sign(batch norm(alpha * sum + bias)), operation by operation.
bool negative_unfolded(const Channel& channel, ZeroRule rule, std::int64_t sum) {
  const float scaled = channel.alpha * static_cast<float>(sum);
  const float value = scaled + channel.bias;
  const float product = value * channel.scale;
  const float y = product + channel.shift;
  return rule == ZeroRule::plus ? !(y >= 0.0F) : !(y > 0.0F);
}

/// Compares at every integer in -k..k.
void expect_folded_equals_unfolded(const Channel& channel, std::int64_t k) {
  for (ZeroRule rule : both_rules) {
    const SumThreshold threshold =
        find_threshold(channel.alpha, channel.bias, channel.scale, channel.shift, rule, k);
    for (std::int64_t sum = -k; sum <= k; ++sum)
      ASSERT_EQ(threshold.is_negative(static_cast<std::int32_t>(sum)),
                negative_unfolded(channel, rule, sum))
          << "sum " << sum << " of K " << k << ", alpha " << channel.alpha << ", bias "
          << channel.bias << ", scale " << channel.scale << ", shift " << channel.shift << ", zero "
          << to_string(rule);
  }
}

TEST(Threshold, EqualsTheExpressionForRandomParameters) {
  Random random(11);
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t k = 1 + random.below(800);
    Channel channel;
    channel.alpha = random.uniform(0.0F, 0.2F);
    channel.bias = random.one_in(2) ? 0.0F : random.uniform(-1.0F, 1.0F);
    channel.scale = random.uniform(-3.0F, 3.0F);
    // The change of sign lies inside -k..k for most.
    const float sum = random.uniform(-1.2F, 1.2F) * static_cast<float>(k);
    channel.shift = -(channel.alpha * sum + channel.bias) * channel.scale;
    expect_folded_equals_unfolded(channel, k);
    if (HasFatalFailure()) return;
  }
}

/// With powers of two every step is exact, so that y is exactly 0 at one sum: the zero rule
/// decides.
TEST(Threshold, EqualsTheExpressionAtExactTies) {
  Random random(12);
  auto power_of_two = [&] { return std::ldexp(1.0F, static_cast<int>(random.below(9)) - 4); };
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t k = 1 + random.below(300);
    const std::int64_t tie = random.below(2 * k + 1) - k;
    Channel channel;
    channel.alpha = power_of_two();
    channel.bias = static_cast<float>(random.below(9) - 4) * power_of_two();
    channel.scale = random.one_in(2) ? power_of_two() : -power_of_two();
    channel.shift = -(channel.alpha * static_cast<float>(tie) + channel.bias) * channel.scale;
    ASSERT_NE(negative_unfolded(channel, ZeroRule::plus, tie),
              negative_unfolded(channel, ZeroRule::minus, tie));
    expect_folded_equals_unfolded(channel, k);
    if (HasFatalFailure()) return;
  }
}

/// Where -shift/scale is not a float, rounding makes y zero or not in ways that no closed form
/// tells.
TEST(Threshold, EqualsTheExpressionWhereRoundingDecides) {
  Random random(13);
  int closed_form_was_wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t k = 9 * (1 + random.below(64));
    const std::int64_t tie = random.below(2 * k + 1) - k;
    Channel channel{random.uniform(0.001F, 0.1F), 0.0F, random.uniform(-2.0F, 2.0F), 0.0F};
    const float product = channel.alpha * static_cast<float>(tie) * channel.scale;
    channel.shift = -product;
    expect_folded_equals_unfolded(channel, k);
    if (HasFatalFailure()) return;
    const float solved = -channel.shift / channel.scale / channel.alpha;
    const auto sum = static_cast<float>(tie);
    const bool closed_form = channel.scale > 0 ? !(sum >= solved) : !(sum <= solved);
    closed_form_was_wrong += closed_form != negative_unfolded(channel, ZeroRule::plus, tie);
  }
  EXPECT_GT(closed_form_was_wrong, 0) << "these cases do not reach the fault they are made for";
}

TEST(Threshold, EqualsTheExpressionForGammaZeroAndAlphaZero) {
  for (float zero : {0.0F, -0.0F})
    for (float shift : {-1.5F, -0.0F, 0.0F, 1.5F, nan}) {
      expect_folded_equals_unfolded({0.1F, 0.0F, zero, shift}, 50);
      expect_folded_equals_unfolded({0.1F, -0.3F, zero, shift}, 50);
      expect_folded_equals_unfolded({zero, 0.0F, 2.0F, shift}, 50);
      expect_folded_equals_unfolded({zero, 0.7F, -2.0F, shift}, 50);
    }
}

/// Constant batch norm: every sum gets one sign, the largest and smallest 32-bit sums too.
TEST(Threshold, OfAConstantHoldsForEverySum) {
  constexpr std::int64_t largest_k = std::numeric_limits<std::int32_t>::max() - 1;
  const SumThreshold plus = find_threshold(0.1F, 0.0F, 0.0F, 1.0F, ZeroRule::plus, largest_k);
  const SumThreshold minus = find_threshold(0.1F, 0.0F, 0.0F, -1.0F, ZeroRule::plus, largest_k);
  for (std::int32_t sum :
       {static_cast<std::int32_t>(-largest_k), -1, 0, 1, static_cast<std::int32_t>(largest_k)}) {
    EXPECT_FALSE(plus.is_negative(sum)) << sum;
    EXPECT_TRUE(minus.is_negative(sum)) << sum;
  }
}

TEST(Threshold, EqualsTheExpressionForSpecialValues) {
  constexpr float smallest = std::numeric_limits<float>::denorm_min();
  constexpr float largest = std::numeric_limits<float>::max();
  const std::array specials{0.0F,      -0.0F,   1.0F,     -1.0F, 0.3F, smallest,
                            -smallest, largest, -largest, inf,   -inf, nan};
  for (float alpha : specials)
    for (float bias : specials)
      for (float scale : specials)
        for (float shift : specials) {
          // Times 0, a layer value that overflows is NaN (-1) at both ends while the middle is not:
          // no single threshold tells that. Batch norm with gamma 0 is constant for finite values
          // only.
          if (scale == 0.0F && !std::isfinite(alpha * 9.0F)) continue;
          expect_folded_equals_unfolded({alpha, bias, scale, shift}, 9);
          if (HasFatalFailure()) return;
        }
}

/// Above 2^24 not every sum is a float: neighbours share one value.
TEST(Threshold, EqualsTheExpressionForSumsThatFloatRounds) {
  constexpr std::int64_t k = (std::int64_t{1} << 24) + 1000;
  for (float shift : {-16777217.0F, 16777218.0F})
    for (float scale : {1.0F, -1.0F}) expect_folded_equals_unfolded({1.0F, 0.0F, scale, shift}, k);
}

TEST(Threshold, EqualsTheExpressionAtTheEndsOfTheRange) {
  for (std::int64_t k : {1, 2, 31, 32, 33, 64})
    for (std::int64_t tie : {-k - 1, -k, -k + 1, std::int64_t{0}, k - 1, k, k + 1})
      for (float scale : {1.0F, -1.0F})
        for (float half : {-0.5F, 0.0F, 0.5F})
          expect_folded_equals_unfolded(
              {1.0F, 0.0F, scale, -scale * (static_cast<float>(tie) + half)}, k);
}

TEST(Threshold, IsFoundForEachChannelWithItsOwnParameters) {
  const std::vector<float> alpha{0.5F, 0.25F, 1.0F};
  const std::vector<float> bias{1.0F, 0.0F, -3.0F};
  const Affine affine{{1.0F, -2.0F, 0.0F}, {0.25F, 3.0F, -1.0F}};
  for (ZeroRule rule : both_rules) {
    const auto with = find_thresholds(alpha, bias, affine, rule, 20);
    const auto without = find_thresholds(alpha, {}, affine, rule, 20);
    ASSERT_EQ(with.size(), 3U);
    ASSERT_EQ(without.size(), 3U);
    for (std::size_t o = 0; o < 3; ++o)
      for (std::int32_t sum = -20; sum <= 20; ++sum) {
        const Channel channel{alpha[o], bias[o], affine.scale[o], affine.shift[o]};
        EXPECT_EQ(with[o].is_negative(sum), negative_unfolded(channel, rule, sum));
        const Channel unbiased{alpha[o], 0.0F, affine.scale[o], affine.shift[o]};
        EXPECT_EQ(without[o].is_negative(sum), negative_unfolded(unbiased, rule, sum));
      }
  }
}

TEST(BatchNorm, IsComputedInDoubleAndRoundedOnce) {
  Random random(14);
  BatchNorm bn;
  for (int c = 0; c < 2000; ++c) {
    bn.gamma.push_back(random.uniform(-2.0F, 2.0F));
    bn.beta.push_back(random.uniform(-1.0F, 1.0F));
    bn.mean.push_back(random.uniform(-5.0F, 5.0F));
    bn.variance.push_back(random.uniform(0.0F, 4.0F));
  }
  bn.gamma[0] = 0.0F;
  const Affine affine = to_affine(bn);
  ASSERT_EQ(affine.scale.size(), bn.gamma.size());
  ASSERT_EQ(affine.shift.size(), bn.gamma.size());
  int float_differs = 0;
  for (std::size_t c = 0; c < bn.gamma.size(); ++c) {
    const double factor = double{bn.gamma[c]} / std::sqrt(double{bn.variance[c]} + 1e-5);
    EXPECT_EQ(affine.scale[c], static_cast<float>(factor));
    EXPECT_EQ(affine.shift[c],
              static_cast<float>(double{bn.beta[c]} - double{bn.mean[c]} * factor));
    const float in_float = bn.gamma[c] / std::sqrt(bn.variance[c] + 1e-5F);
    float_differs += bn.beta[c] - bn.mean[c] * in_float != affine.shift[c];
  }
  EXPECT_GT(float_differs, 100) << "float arithmetic must differ, or the test above says nothing";
}

TEST(BatchNorm, AddsEpsilonToTheVariance) {
  const Affine affine = to_affine({{2.0F, 2.0F}, {1.0F, 1.0F}, {3.0F, 3.0F}, {3.0F, 0.0F}, 1.0});
  EXPECT_EQ(affine.scale, (std::vector<float>{1.0F, 2.0F}));
  EXPECT_EQ(affine.shift, (std::vector<float>{-2.0F, -5.0F}));
  EXPECT_EQ(affine(4.0F, 0), 2.0F);
  EXPECT_EQ(affine(4.0F, 1), 3.0F);
}

TEST(LayerValue, IsRoundedAfterTheProductAndAfterTheSum) {
  // alpha * 3 rounds to 1; with one rounding for both (FMA) the value would be 2^-25.
  const float third = 1.0F / 3.0F;
  EXPECT_EQ(layer_value(third, 3, -1.0F), 0.0F);
  EXPECT_EQ(layer_value(0.5F, -7, 0.25F), -3.25F);
  EXPECT_EQ(layer_value(1.0F, 16777217, 0.0F), 16777216.0F);
}

}  // namespace
}  // namespace xnorbench
