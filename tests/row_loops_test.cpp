// The loops that surround the sums, for every instruction set of this machine, against the rules
// themselves.
#include "core/row_loops.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "core/random.h"
#include "core/sign.h"

namespace xnorbench {
namespace {

constexpr std::array channel_counts{1,  2,  7,  8,  15,  16,  17,  31,  32, 33,
                                    63, 64, 65, 96, 127, 128, 130, 200, 256};

float any_value(Random& random) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::array specials{0.0F, -0.0F, nan,
                                inf,  -inf,  std::numeric_limits<float>::denorm_min()};
  if (random.one_in(4)) return specials[static_cast<std::size_t>(random.below(specials.size()))];
  return random.uniform(-2.0F, 2.0F);
}

std::vector<float> any_values(Random& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = any_value(random);
  return values;
}

BitRows rows_of(std::vector<std::uint64_t>& words) {
  return {reinterpret_cast<std::byte*>(words.data()), static_cast<std::int64_t>(words.size() * 8),
          8};
}

/// Expects the signs of `channels` channels, and unused bits 0.
void expect_bits(const std::vector<std::uint64_t>& words, const std::vector<bool>& negative) {
  for (std::size_t bit = 0; bit < words.size() * 64; ++bit)
    ASSERT_EQ(words[bit / 64] >> bit % 64 & 1, bit < negative.size() && negative[bit])
        << "bit " << bit;
}

void expect_same(const std::vector<float>& found, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], sizeof(float)), 0)
        << i << ": " << found[i] << ", " << expected[i];
}

class EveryIsa : public testing::TestWithParam<Isa> {
 protected:
  const RowLoops& loops = row_loops(GetParam());
};

template <typename Sum, typename Limit>
void check_sums(const SumLoops<Sum, Limit>& loops, Limit largest_sum) {
  Random random(61);
  for (std::int64_t channels : channel_counts) {
    const auto count = static_cast<std::size_t>(channels);
    std::vector<Sum> sums(count);
    std::vector<Limit> limit(count), flip(count);
    std::vector<bool> negative(count);
    for (std::size_t c = 0; c < count; ++c) {
      const std::int64_t sum = random.one_in(8) ? (random.one_in(2) ? largest_sum : -largest_sum)
                                                : random.below(21) - 10;
      sums[c] = static_cast<Sum>(sum);
      if (sum == 0 && std::is_same_v<Sum, float> && random.one_in(2))
        sums[c] = static_cast<Sum>(-0.0F);
      flip[c] = static_cast<Limit>(random.one_in(2) ? -1 : 0);
      limit[c] = random.one_in(6)   ? std::numeric_limits<Limit>::min()
                 : random.one_in(6) ? std::numeric_limits<Limit>::max()
                                    : static_cast<Limit>(random.below(21) - 10);
      negative[c] = (sum ^ flip[c]) < limit[c];
    }
    const ThresholdView<Limit> thresholds{limit.data(), flip.data()};
    const Extent one{1, channels};
    std::vector<std::uint64_t> words((count + 63) / 64, ~std::uint64_t{0});
    loops.bits(one, sums.data(), channels, thresholds, rows_of(words));
    expect_bits(words, negative);
    std::vector<float> floats(count);
    loops.floats(one, sums.data(), thresholds, 2.0F, -1.0F, floats.data());
    std::vector<std::uint8_t> bytes(count);
    loops.bytes(one, sums.data(), thresholds, 7, 9, bytes.data());
    for (std::size_t c = 0; c < count; ++c) {
      ASSERT_EQ(floats[c], negative[c] ? -1.0F : 2.0F);
      ASSERT_EQ(bytes[c], negative[c] ? 9 : 7);
    }

    const std::vector<float> alpha = any_values(random, count), bias = any_values(random, count),
                             addend = any_values(random, count);
    std::vector<float> alone(count), added(count), in_place = addend, expected_alone(count),
                                                   expected_added(count);
    for (std::size_t c = 0; c < count; ++c) {
      expected_alone[c] = layer_value(alpha[c], static_cast<std::int32_t>(sums[c]), bias[c]);
      expected_added[c] = expected_alone[c] + addend[c];
    }
    loops.values(one, sums.data(), alpha.data(), bias.data(), {}, {alone.data(), channels});
    loops.values(one, sums.data(), alpha.data(), bias.data(), {addend.data(), channels},
                 {added.data(), channels});
    loops.values(one, sums.data(), alpha.data(), bias.data(), {in_place.data(), channels},
                 {in_place.data(), channels});
    for (std::size_t c = 0; c < count; ++c) {  // a NaN stays one, whichever
      ASSERT_TRUE(alone[c] == expected_alone[c] ||
                  (alone[c] != alone[c] && expected_alone[c] != expected_alone[c]));
      ASSERT_TRUE(added[c] == expected_added[c] ||
                  (added[c] != added[c] && expected_added[c] != expected_added[c]));
      ASSERT_TRUE(in_place[c] == added[c] || added[c] != added[c]);
    }
  }
}

TEST_P(EveryIsa, BinarisesAndScalesSums) {
  check_sums(loops.i16, static_cast<std::int16_t>(32766));
  check_sums(loops.i32, std::int32_t{1} << 30);
  check_sums(loops.f32, std::int32_t{1} << 23);
}

TEST_P(EveryIsa, BinarisesValues) {
  Random random(62);
  for (std::int64_t channels : channel_counts)
    for (ZeroRule rule : {ZeroRule::plus, ZeroRule::minus})
      for (bool with_affine : {false, true}) {
        const auto count = static_cast<std::size_t>(channels);
        const std::vector<float> x = any_values(random, count), scale = any_values(random, count),
                                 shift = any_values(random, count);
        const AffineView affine =
            with_affine ? AffineView{scale.data(), shift.data()} : AffineView{};
        std::vector<bool> negative(count);
        for (std::size_t c = 0; c < count; ++c) {
          const float product = x[c] * scale[c];
          negative[c] = is_negative(with_affine ? product + shift[c] : x[c], rule);
        }
        std::vector<std::uint64_t> words((count + 63) / 64, ~std::uint64_t{0});
        const Extent one{1, channels};
        loops.sign_bits(one, {x.data(), channels}, affine, rule, rows_of(words));
        expect_bits(words, negative);
        std::vector<float> floats(count);
        loops.sign_floats(one, {x.data(), channels}, affine, rule, 2.0F, -1.0F, floats.data(),
                          channels);
        std::vector<std::uint8_t> bytes(count);
        loops.sign_bytes(one, {x.data(), channels}, affine, rule, 7, 9, bytes.data(), channels);
        for (std::size_t c = 0; c < count; ++c) {
          ASSERT_EQ(floats[c], negative[c] ? -1.0F : 2.0F);
          ASSERT_EQ(bytes[c], negative[c] ? 9 : 7);
        }
      }
}

TEST_P(EveryIsa, GivesTheBitsOfTheRulesInPlace) {
  Random random(63);
  for (std::int64_t channels : channel_counts) {
    const auto count = static_cast<std::size_t>(channels);
    std::vector<float> x(count), y(count), shift(count);
    for (auto* values : {&x, &y, &shift})
      for (float& value : *values) value = random.uniform(-2.0F, 2.0F);
    y[0] = -0.0F;
    auto expect_each = [&](auto run, auto rule) {
      std::vector<float> found = y, expected = y;
      run(FloatTensor{found.data(), channels});
      for (std::size_t c = 0; c < count; ++c) expected[c] = rule(y[c], c);
      expect_same(found, expected);
    };
    expect_each(
        [&](FloatTensor out) {
          loops.affine({1, channels}, {x.data(), shift.data()}, out);
        },
        [&](float value, std::size_t c) {
          const float product = value * x[c];
          return product + shift[c];
        });
    expect_each(
        [&](FloatTensor out) {
          loops.relu({1, channels}, 0.0F, out);
        },
        [](float value, std::size_t) { return relu(value, 0.0F); });
    expect_each(
        [&](FloatTensor out) {
          loops.relu({1, channels}, 0.1F, out);
        },
        [](float value, std::size_t) { return relu(value, 0.1F); });
    expect_each(
        [&](FloatTensor out) {
          loops.scale({1, channels}, 0.25F, out);
        },
        [](float value, std::size_t) { return value * 0.25F; });
    expect_each(
        [&](FloatTensor out) {
          loops.add({1, channels}, {x.data(), channels}, out);
        },
        [&](float value, std::size_t c) { return value + x[c]; });
    expect_each(
        [&](FloatTensor out) {
          loops.larger({1, channels}, {x.data(), channels}, out);
        },
        [&](float value, std::size_t c) { return x[c] > value ? x[c] : value; });
  }
}

/// Several pixels with gaps between them are so many single ones, and nothing is written in the
/// gaps or behind a tail.
TEST_P(EveryIsa, TakesPixelsWithGapsBetweenThem) {
  Random random(64);
  constexpr std::int64_t pixels = 5, channels = 75, stride = 80;
  const std::vector<float> x = any_values(random, pixels * stride),
                           scale = any_values(random, channels),
                           shift = any_values(random, channels);
  for (std::int64_t tail_bytes : {2, 4, 8}) {
    constexpr std::int64_t bit_stride = 24;
    std::vector<std::byte> bits(pixels * bit_stride, std::byte{0xAA});
    loops.sign_bits({pixels, channels}, {x.data(), stride}, {scale.data(), shift.data()},
                    ZeroRule::minus, {bits.data(), bit_stride, tail_bytes});
    for (std::int64_t p = 0; p < pixels; ++p)
      for (std::int64_t bit = 0; bit < bit_stride * 8; ++bit) {
        const bool found =
            (std::to_integer<int>(bits[static_cast<std::size_t>(p * bit_stride + bit / 8)]) >>
                 bit % 8 &
             1) != 0;
        bool expected = bit % 2 != 0;  // untouched
        if (bit < (8 + tail_bytes) * 8) expected = false;
        if (bit < channels) {
          const auto c = static_cast<std::size_t>(bit);
          const float product = x[static_cast<std::size_t>(p * stride + bit)] * scale[c];
          expected = is_negative(product + shift[c], ZeroRule::minus);
        }
        ASSERT_EQ(found, expected) << "pixel " << p << " bit " << bit << " tail " << tail_bytes;
      }
  }
  std::vector<float> y(pixels * stride, 3.0F), expected = y;
  loops.copy({pixels, channels}, {x.data(), stride}, {y.data(), stride});
  for (std::int64_t p = 0; p < pixels; ++p)
    for (std::int64_t c = 0; c < channels; ++c)
      expected[static_cast<std::size_t>(p * stride + c)] =
          x[static_cast<std::size_t>(p * stride + c)];
  expect_same(y, expected);
}

INSTANTIATE_TEST_SUITE_P(Isa, EveryIsa, testing::ValuesIn(find_isas(this_machine())),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace xnorbench
