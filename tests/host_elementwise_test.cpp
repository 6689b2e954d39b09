// Elementwise operations of the host against plain scalar code: odd sizes, slices of wider tensors,
// in place.
#include "cpu/host_elementwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "tests/test_tensor.h"

namespace xnorbench {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Layout {
  std::int64_t pixels, channels, offset, behind;
};
constexpr Layout layouts[] = {
    {1, 1, 0, 0}, {7, 3, 0, 0}, {15, 33, 5, 2}, {64, 64, 0, 64}, {9, 65, 64, 3}};

TEST(AffineRelu, MultipliesRoundsAndThenAdds) {
  for (const Layout& l : layouts)
    for (bool with_relu : {false, true})
      for (int threads : {1, 2}) {
        const TestTensor a = TestTensor::random(1, l.pixels, l.channels, l.behind, l.offset);
        const TestTensor scale = TestTensor::random(2, 1, l.channels);
        const TestTensor shift = TestTensor::random(3, 1, l.channels);
        TestTensor out(l.pixels, l.channels, l.offset, l.behind);
        HostElementwiseOperations(threads).affine_relu(
            l.pixels, l.channels, a.const_tensor(),
            {scale.const_tensor().data, shift.const_tensor().data},
            with_relu ? std::optional(0.0F) : std::nullopt, out.tensor());
        out.expect([&](auto p, auto c) {
          const volatile float product = a.at(p, c) * scale.at(0, c);
          const float value = product + shift.at(0, c);
          return !with_relu || value > 0.0F ? value : 0.0F;
        });
      }
}

TEST(AffineRelu, IsNotFusedIntoOneRounding) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11; a fused multiply-add would keep 2^-24.
  TestTensor x(9, 9);
  for (std::int64_t p = 0; p < 9; ++p)
    for (std::int64_t c = 0; c < 9; ++c) x.at(p, c) = 1.0F + 0x1p-12F;
  const std::vector<float> scale(9, 1.0F + 0x1p-12F);
  const std::vector<float> shift(9, -(1.0F + 0x1p-11F));
  HostElementwiseOperations(1).affine_relu(9, 9, x.const_tensor(), {scale.data(), shift.data()},
                                           std::nullopt, x.tensor());
  x.expect([](auto, auto) { return 0.0F; });
}

TEST(AffineRelu, ReluAloneMakesNaNAndNegativeZeroPositiveZero) {
  TestTensor x(1, 6);
  const std::array<float, 6> values{nan, -nan, -0.0F, 0.0F, -1.0F, 2.0F};
  for (std::size_t c = 0; c < 6; ++c) x.at(0, static_cast<std::int64_t>(c)) = values[c];
  HostElementwiseOperations(1).affine_relu(1, 6, x.const_tensor(), {}, 0.0F, x.tensor());
  x.expect([](auto, auto c) { return c == 5 ? 2.0F : 0.0F; });
}

TEST(AffineRelu, ReluAfterBatchNormMakesNaNZero) {
  TestTensor x(1, 6);
  const std::array<float, 6> values{nan, std::numeric_limits<float>::infinity(), -1.0F, 1.0F, 3.0F,
                                    nan};
  for (std::size_t c = 0; c < 6; ++c) x.at(0, static_cast<std::int64_t>(c)) = values[c];
  const std::vector<float> scale{1.0F, 0.0F, -1.0F, -1.0F, 1.0F, 1.0F};
  const std::vector<float> shift{0.0F, 0.0F, 0.0F, 0.0F, -1.0F, -1.0F};
  HostElementwiseOperations(1).affine_relu(1, 6, x.const_tensor(), {scale.data(), shift.data()},
                                           0.0F, x.tensor());
  const std::array<float, 6> expected{0.0F, 0.0F, 1.0F, 0.0F, 2.0F, 0.0F};
  x.expect([&](auto, auto c) { return expected[static_cast<std::size_t>(c)]; });
}

TEST(AffineRelu, LeakyReluScalesWhatIsNotPositive) {
  const TestTensor a = TestTensor::random(1, 7, 5, 1, 2);
  TestTensor out(7, 5, 3, 1);
  HostElementwiseOperations(2).affine_relu(7, 5, a.const_tensor(), {}, 0.1F, out.tensor());
  out.expect([&](auto p, auto c) { return a.at(p, c) > 0.0F ? a.at(p, c) : 0.1F * a.at(p, c); });
}

TEST(Add, AddsSlicesAndCopiesWithoutAnAddend) {
  for (const Layout& l : layouts)
    for (int threads : {1, 2}) {
      const TestTensor a = TestTensor::random(1, l.pixels, l.channels, 1, 1);
      const TestTensor b = TestTensor::random(2, l.pixels, l.channels, l.behind, l.offset);
      TestTensor sum(l.pixels, l.channels, l.offset, l.behind);
      HostElementwiseOperations(threads).add(l.pixels, l.channels, a.const_tensor(),
                                             b.const_tensor(), sum.tensor());
      sum.expect([&](auto p, auto c) { return a.at(p, c) + b.at(p, c); });
      TestTensor copy(l.pixels, l.channels, l.offset, l.behind);
      HostElementwiseOperations(threads).add(l.pixels, l.channels, a.const_tensor(), {},
                                             copy.tensor());
      copy.expect([&](auto p, auto c) { return a.at(p, c); });
    }
}

TEST(Add, WorksInPlaceOfEitherSideAndOfBoth) {
  const TestTensor a = TestTensor::random(1, 9, 33, 2, 3);
  const TestTensor b = TestTensor::random(2, 9, 33, 2, 3);
  auto sum = [&](auto p, auto c) { return a.at(p, c) + b.at(p, c); };
  TestTensor left = a;
  HostElementwiseOperations(2).add(9, 33, left.const_tensor(), b.const_tensor(), left.tensor());
  left.expect(sum);
  TestTensor right = b;
  HostElementwiseOperations(2).add(9, 33, a.const_tensor(), right.const_tensor(), right.tensor());
  right.expect(sum);
  TestTensor both = a;
  HostElementwiseOperations(2).add(9, 33, both.const_tensor(), both.const_tensor(), both.tensor());
  both.expect([&](auto p, auto c) { return a.at(p, c) + a.at(p, c); });
}

float pool_law(float a00, float a01, float a10, float a11) {
  volatile float sum = a00 + a01;
  sum = sum + a10;
  sum = sum + a11;
  return sum * 0.25F;
}

TEST(AveragePool, DropsAnOddLastRowAndColumn) {
  for (const TensorShape& in : {TensorShape{1, 2, 2, 1}, TensorShape{2, 5, 4, 3},
                                TensorShape{3, 3, 7, 65}, TensorShape{1, 8, 9, 33}})
    for (int threads : {1, 2}) {
      const TestTensor a = TestTensor::random(4, in.pixels(), in.channels, 3, 2);
      const std::int64_t height = in.height / 2;
      const std::int64_t width = in.width / 2;
      TestTensor out(in.batch * height * width, in.channels, 1, 4);
      HostElementwiseOperations(threads).average_pool(in, {in.batch, height, width, in.channels},
                                                      {2, 2, 0, 0}, a.const_tensor(), out.tensor());
      out.expect([&](auto p, auto c) {
        const std::int64_t first =
            (p / width / height * in.height + p / width % height * 2) * in.width + p % width * 2;
        return pool_law(a.at(first, c), a.at(first + 1, c), a.at(first + in.width, c),
                        a.at(first + in.width + 1, c));
      });
    }
}

TEST(AveragePool, OfAnySizeIsTheSumRowByRowTimesItsShare) {
  const TestTensor a = TestTensor::random(5, 2 * 7 * 8, 5);
  TestTensor out(2 * 2 * 2, 5);
  HostElementwiseOperations(2).average_pool({2, 7, 8, 5}, {2, 2, 2, 5}, {3, 3, 0, 0},
                                            a.const_tensor(), out.tensor());
  out.expect([&](auto p, auto c) {
    float sum = 0.0F;
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t x = 0; x < 3; ++x)
        sum += a.at((p / 4 * 7 + p / 2 % 2 * 3 + y) * 8 + p % 2 * 3 + x, c);
    return sum * (1.0F / 9.0F);
  });
}

TEST(MaxPool, OfNegativeValuesIsNegativeAndPaddingTakesNoPart) {
  TestTensor a(9, 1);
  for (std::int64_t p = 0; p < 9; ++p) a.at(p, 0) = -1.0F - static_cast<float>(p);
  TestTensor out(4, 1);
  HostElementwiseOperations(1).max_pool({1, 3, 3, 1}, {1, 2, 2, 1}, {3, 2, 1, 1}, a.const_tensor(),
                                        out.tensor());
  constexpr std::array<float, 4> expected{-1.0F, -2.0F, -4.0F, -5.0F};
  out.expect([&](auto p, auto) { return expected[static_cast<std::size_t>(p)]; });
}

TEST(MaxPool, WithStrideOneAndPaddingBehindKeepsTheSize) {
  const TestTensor a = TestTensor::random(6, 2 * 5 * 4, 3, 1, 1);
  TestTensor out(2 * 5 * 4, 3, 2, 2);
  HostElementwiseOperations(2).max_pool({2, 5, 4, 3}, {2, 5, 4, 3}, {2, 1, 0, 1}, a.const_tensor(),
                                        out.tensor());
  out.expect([&](auto p, auto c) {
    const auto y = p / 4 % 5, x = p % 4;
    float largest = a.at(p, c);
    if (x < 3) largest = std::max(largest, a.at(p + 1, c));
    if (y < 4) largest = std::max(largest, a.at(p + 4, c));
    if (x < 3 && y < 4) largest = std::max(largest, a.at(p + 5, c));
    return largest;
  });
}

TEST(AveragePool, AddsRowByRowFromTheLeft) {
  // Every other order of these additions has other bits for one of these windows at least.
  constexpr std::array<std::array<float, 4>, 4> windows{{{-1.0F, 1.0F, 0x1p-30F, 0.0F},
                                                         {-1.0F, 1.0F, 0x1p-30F, 0x1p-60F},
                                                         {1.0F, 0x1p-24F, 0x1p-24F, 0x1p-24F},
                                                         {1.0F, 0x1p-30F, -1.0F, 0x1p-31F}}};
  std::array<int, 4> order{0, 1, 2, 3};
  auto sequential = [&](const std::array<float, 4>& w) {
    auto at = [&](std::size_t i) { return w[static_cast<std::size_t>(order[i])]; };
    return pool_law(at(0), at(1), at(2), at(3));
  };
  do {
    if (order[2] == 2 && order[3] == 3) continue;  // the law itself, or its first addition swapped
    int different = 0;
    for (const auto& w : windows) different += sequential(w) != pool_law(w[0], w[1], w[2], w[3]);
    EXPECT_GT(different, 0) << "order " << order[0] << order[1] << order[2] << order[3];
  } while (std::next_permutation(order.begin(), order.end()));

  for (const auto& w : windows) {
    TestTensor a(4, 1);
    for (std::int64_t p = 0; p < 4; ++p) a.at(p, 0) = w[static_cast<std::size_t>(p)];
    TestTensor out(1, 1);
    HostElementwiseOperations(1).average_pool({1, 2, 2, 1}, {1, 1, 1, 1}, {2, 2, 0, 0},
                                              a.const_tensor(), out.tensor());
    out.expect([&](auto, auto) { return pool_law(w[0], w[1], w[2], w[3]); });
  }
}

TEST(UpsampleAdd, RepeatsPixelsAndAdds) {
  for (const TensorShape& in : {TensorShape{1, 1, 1, 1}, TensorShape{2, 3, 5, 3},
                                TensorShape{3, 2, 7, 65}, TensorShape{1, 4, 4, 33}})
    for (int threads : {1, 2})
      for (bool in_place : {false, true}) {
        const std::int64_t width = 2 * in.width;
        const std::int64_t height = 2 * in.height;
        const TestTensor a = TestTensor::random(5, in.pixels(), in.channels, 2, 1);
        const TestTensor addend = TestTensor::random(6, 4 * in.pixels(), in.channels, 1, 4);
        auto source = [&](auto p, auto c) {
          return a.at(
              (p / width / height * in.height + p / width % height / 2) * in.width + p % width / 2,
              c);
        };
        TestTensor sum = in_place ? addend : TestTensor(4 * in.pixels(), in.channels, 3, 0);
        HostElementwiseOperations(threads).upsample_add(
            in, a.const_tensor(), (in_place ? sum : addend).const_tensor(), sum.tensor());
        sum.expect([&](auto p, auto c) { return source(p, c) + addend.at(p, c); });
        TestTensor alone(4 * in.pixels(), in.channels, 3, 0);
        HostElementwiseOperations(threads).upsample_add(in, a.const_tensor(), {}, alone.tensor());
        alone.expect(source);
      }
}

}  // namespace
}  // namespace xnorbench
