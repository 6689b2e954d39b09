// Where public systems disagree first: the sign of 0, -0.0 and NaN, and the last channels of a
// word. The sign pass (vectors and a tail, with and without affine) is held against the scalar
// rule, and its packed inputs against their documented layout.
#include "core/sign.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/packed_input.h"
#include "core/random.h"

namespace xnorbench {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float denormal = std::numeric_limits<float>::denorm_min();
constexpr std::array both_rules{ZeroRule::plus, ZeroRule::minus};
constexpr std::int64_t pixels = 5;
constexpr std::uint64_t guard_bytes = 0xFEEDFACECAFEBEEF;

/// Half of the values are special.
float random_value(Random& random) {
  constexpr std::array specials{0.0F, -0.0F,    nan,       -nan, inf,
                                -inf, denormal, -denormal, 1.0F, -1.0F};
  if (random.one_in(2)) return specials[static_cast<std::size_t>(random.below(specials.size()))];
  return random.uniform(-1.0F, 1.0F);
}

struct Case {
  std::int64_t channels, groups, stride;
  bool with_affine;
  ZeroRule rule;
  int threads;

  std::string text() const {
    return fmt::format("{} channels, {} groups, stride {}, affine {}, zero {}, {} threads",
                       channels, groups, stride, with_affine, to_string(rule), threads);
  }
};

/// A random tensor and, by the scalar rule, its signs.
struct Sample {
  std::vector<float> tensor, scale, shift;
  std::vector<bool> negative;  // pixels x channels

  Sample(const Case& c, Random& random) : tensor(static_cast<std::size_t>(pixels * c.stride)) {
    for (float& x : tensor) x = random_value(random);
    for (std::int64_t i = 0; i < c.channels; ++i) {
      scale.push_back(random.one_in(8) ? 0.0F : random.uniform(-2.0F, 2.0F));
      // y = 0 exactly where x is 1 or -1
      shift.push_back(random.one_in(2) ? -scale.back() : random.uniform(-1.0F, 1.0F));
    }
    for (std::int64_t p = 0; p < pixels; ++p)
      for (std::int64_t i = 0; i < c.channels; ++i) {
        float x = tensor[static_cast<std::size_t>(p * c.stride + i)];
        if (c.with_affine) {
          const float product = x * scale[static_cast<std::size_t>(i)];
          x = product + shift[static_cast<std::size_t>(i)];
        }
        negative.push_back(is_negative(x, c.rule));
      }
  }

  bool at(std::int64_t pixel, std::int64_t channel, const Case& c) const {
    return negative[static_cast<std::size_t>(pixel * c.channels + channel)];
  }
};

/// Runs the sign pass into a packed input of dirty words with guard bytes behind; checks that the
/// tensor is as before and that decode_signs gives the signs. Returns the packed input.
std::vector<std::uint64_t> run_sign_pass(const PackedFormat& format, const Case& c,
                                         Sample& sample) {
  const std::size_t bytes = format.bytes_per_pixel() * pixels;
  const std::size_t words = (bytes + 7) / 8;
  std::vector<std::uint64_t> packed_input(words + 4, guard_bytes);
  std::memset(packed_input.data(), 0xFF, bytes);
  const std::vector<float> before = sample.tensor;
  const AffineView affine =
      c.with_affine ? AffineView{sample.scale.data(), sample.shift.data()} : AffineView{};
  sign_pass(format, c.rule, pixels, {sample.tensor.data(), c.stride}, affine, packed_input.data(),
            c.threads);
  EXPECT_EQ(std::memcmp(before.data(), sample.tensor.data(), before.size() * sizeof(float)), 0)
      << "the tensor was modified";
  for (std::size_t i = words; i < packed_input.size(); ++i)
    EXPECT_EQ(packed_input[i], guard_bytes) << "wrote past the packed input";

  std::vector<std::int8_t> signs(sample.negative.size(), 99);
  decode_signs(format, pixels, packed_input.data(), signs.data());
  for (std::size_t i = 0; i < signs.size(); ++i)
    EXPECT_EQ(signs[i], sample.negative[i] ? -1 : 1) << "decoded element " << i;
  return packed_input;
}

/// Calls `check` for every combination; stops at the first that fails.
template <typename Check>
void for_each_case(Check check) {
  Random random(21);
  for (std::int64_t channels : {1, 3, 31, 32, 33, 48, 63, 64, 65, 72, 127, 128, 130})
    for (std::int64_t groups : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, channels})
      for (std::int64_t stride : {channels, channels + 7})
        for (bool with_affine : {false, true})
          for (ZeroRule rule : both_rules) {
            if (channels % groups != 0) continue;
            const Case c{channels, groups, stride, with_affine, rule, random.one_in(4) ? 2 : 1};
            SCOPED_TRACE(c.text());
            Sample sample(c, random);
            check(c, sample);
            if (testing::Test::HasFailure()) return;
          }
}

TEST(Sign, FollowsTheZeroRule) {
  const std::array plus_one{1.0F, denormal, std::numeric_limits<float>::min(),
                            std::numeric_limits<float>::max(), inf};
  for (ZeroRule rule : both_rules) {
    for (volatile float x : plus_one) {
      EXPECT_EQ(sign_of(x, rule), 1) << x;
      EXPECT_EQ(sign_of(-x, rule), -1) << -x;
    }
    EXPECT_EQ(sign_of(nan, rule), -1);
    EXPECT_EQ(sign_of(-nan, rule), -1);
  }
  for (float zero : {0.0F, -0.0F}) {
    EXPECT_EQ(sign_of(zero, ZeroRule::plus), 1);
    EXPECT_EQ(sign_of(zero, ZeroRule::minus), -1);
  }
}

TEST(Sign, IsNegativeExactlyWhereItIsMinusOne) {
  for (ZeroRule rule : both_rules)
    for (float x : {-inf, -1.0F, -denormal, -0.0F, 0.0F, denormal, 1.0F, inf, nan})
      EXPECT_EQ(is_negative(x, rule), sign_of(x, rule) == -1) << x;
}

TEST(SignPass, PutsChannelsIntoBitsAndLeavesUnusedBitsZero) {
  for_each_case([](const Case& c, Sample& sample) {
    const PackedFormat format{PackedForm::bits, c.channels, c.groups};
    const std::int64_t group_channels = c.channels / c.groups;
    const std::int64_t group_words = (group_channels + 63) / 64;
    EXPECT_EQ(format.words_per_pixel(), c.groups * group_words);
    EXPECT_EQ(format.bytes_per_pixel(), static_cast<std::size_t>(c.groups * group_words * 8));
    const auto packed_input = run_sign_pass(format, c, sample);
    for (std::int64_t p = 0; p < pixels; ++p)
      for (std::int64_t g = 0; g < c.groups; ++g)
        for (std::int64_t bit = 0; bit < group_words * 64; ++bit) {
          const std::uint64_t word =
              packed_input[static_cast<std::size_t>((p * c.groups + g) * group_words + bit / 64)];
          const bool expected = bit < group_channels && sample.at(p, g * group_channels + bit, c);
          EXPECT_EQ((word >> (bit % 64)) & 1, static_cast<std::uint64_t>(expected))
              << "pixel " << p << " group " << g << " bit " << bit;
        }
  });
}

TEST(SignPass, WritesFloatsLessTheOffset) {
  for (float offset : {-1.0F, 0.0F, 1.0F})
    for_each_case([offset](const Case& c, Sample& sample) {
      if (c.groups != 1) return;  // floats have no layout by groups
      const PackedFormat format{PackedForm::f32, c.channels, 1, offset};
      EXPECT_EQ(format.bytes_per_pixel(), static_cast<std::size_t>(c.channels) * 4);
      const auto packed_input = run_sign_pass(format, c, sample);
      const auto* const floats = reinterpret_cast<const float*>(packed_input.data());
      for (std::int64_t p = 0; p < pixels; ++p)
        for (std::int64_t i = 0; i < c.channels; ++i)
          EXPECT_EQ(floats[p * c.channels + i], (sample.at(p, i, c) ? -1.0F : 1.0F) - offset)
              << "pixel " << p << " channel " << i << " offset " << offset;
    });
}

TEST(SignPass, SeesASingleSignAtEveryChannel) {
  constexpr std::int64_t channels = 130;
  const PackedFormat format{PackedForm::bits, channels};
  for (float background : {-1.0F, 1.0F})
    for (std::int64_t flipped = 0; flipped < channels; ++flipped) {
      std::vector<float> tensor(channels, background);
      tensor[static_cast<std::size_t>(flipped)] = -background;
      std::vector<std::uint64_t> packed_input(3);
      sign_pass(format, ZeroRule::plus, 1, {tensor.data(), channels}, {}, packed_input.data(), 1);
      std::vector<std::int8_t> signs(channels);
      decode_signs(format, 1, packed_input.data(), signs.data());
      for (std::int64_t c = 0; c < channels; ++c)
        ASSERT_EQ(static_cast<float>(signs[static_cast<std::size_t>(c)]),
                  tensor[static_cast<std::size_t>(c)])
            << "flipped " << flipped << ", channel " << c;
    }
}

}  // namespace
}  // namespace xnorbench
