// The functions of one thread give what CUDA says they give.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/language.h"

namespace xnorbench::simt_test {
namespace {

const std::vector<unsigned> words = [] {
  std::vector<unsigned> words = {0U, 1U, 2U, 0x80000000U, 0x7fffffffU, 0xffffffffU, 0x00010000U};
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    words.push_back(static_cast<unsigned>(random()) >> i % 32);
  }
  return words;
}();

unsigned bit(unsigned word, int index) { return word >> index & 1U; }

TEST(Intrinsics, CountBits) {
  for (const unsigned word : words) {
    int count = 0;
    int first = 0;
    int zeros = 32;
    unsigned reversed = 0;
    for (int index = 31; index >= 0; --index) {
      count += static_cast<int>(bit(word, index));
      first = bit(word, index) == 1 ? index + 1 : first;
      zeros = bit(word, 31 - index) == 1 ? index : zeros;
      reversed |= bit(word, index) << (31 - index);
    }
    const int value = static_cast<int>(word);
    EXPECT_EQ(__popc(word), count);
    EXPECT_EQ(__ffs(value), first);
    EXPECT_EQ(__clz(value), zeros);
    EXPECT_EQ(__brev(word), reversed);

    const std::uint64_t wide = std::uint64_t{word} << 32 | 0xffffU;
    EXPECT_EQ(__popcll(wide), count + 16);
    EXPECT_EQ(__clzll(static_cast<long long>(wide)), zeros == 32 ? 48 : zeros);
    EXPECT_EQ(__ffsll(static_cast<long long>(std::uint64_t{word} << 32)),
              first == 0 ? 0 : first + 32);
  }
}

TEST(Intrinsics, FunnelShiftsTakeTheShiftModulo32OrClampIt) {
  constexpr unsigned low = 0x89abcdefU;
  constexpr unsigned high = 0x01234567U;
  EXPECT_EQ(__funnelshift_l(low, high, 8), 0x23456789U);
  EXPECT_EQ(__funnelshift_r(low, high, 8), 0x6789abcdU);
  EXPECT_EQ(__funnelshift_l(low, high, 0), high);
  EXPECT_EQ(__funnelshift_r(low, high, 0), low);
  EXPECT_EQ(__funnelshift_l(low, high, 40), 0x23456789U);
  EXPECT_EQ(__funnelshift_r(low, high, 40), 0x6789abcdU);
  EXPECT_EQ(__funnelshift_lc(low, high, 8), 0x23456789U);
  EXPECT_EQ(__funnelshift_rc(low, high, 8), 0x6789abcdU);
  EXPECT_EQ(__funnelshift_lc(low, high, 32), low);
  EXPECT_EQ(__funnelshift_rc(low, high, 32), high);
  EXPECT_EQ(__funnelshift_lc(low, high, 40), low);
  EXPECT_EQ(__funnelshift_rc(low, high, 40), high);
}

TEST(Intrinsics, HighHalfOfAProduct) {
  EXPECT_EQ(__umulhi(0xffffffffU, 0xffffffffU), 0xfffffffeU);
  EXPECT_EQ(__umulhi(0x10000U, 0x10000U), 1U);
  EXPECT_EQ(__umulhi(0xffffU, 0x10001U), 0U);
}

TEST(Intrinsics, FloatToIntRoundsToEvenAndClamps) {
  EXPECT_EQ(__float2int_rn(0.5F), 0);
  EXPECT_EQ(__float2int_rn(1.5F), 2);
  EXPECT_EQ(__float2int_rn(-2.5F), -2);
  EXPECT_EQ(__float2int_rn(2147483520.0F), 2147483520);
  EXPECT_EQ(__float2int_rn(2147483648.0F), std::numeric_limits<int>::max());
  EXPECT_EQ(__float2int_rn(-2147483648.0F), std::numeric_limits<int>::min());
  EXPECT_EQ(__float2int_rn(-1e20F), std::numeric_limits<int>::min());
  EXPECT_EQ(__float2int_rn(std::numeric_limits<float>::infinity()),
            std::numeric_limits<int>::max());
  EXPECT_EQ(__float2int_rn(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(Intrinsics, FloatOperationsRoundEach) {
  EXPECT_EQ(__int2float_rn(16777217), 16777216.0F);
  EXPECT_EQ(__int2float_rn(-3), -3.0F);
  constexpr float a = 1.0F + 0x1p-12F;
  // The exact square is 1 + 2^-11 + 2^-24: a fused operation would leave 2^-24.
  EXPECT_EQ(__fadd_rn(__fmul_rn(a, a), -(1.0F + 0x1p-11F)), 0.0F);
  EXPECT_EQ(__fmaf_rn(a, a, -(1.0F + 0x1p-11F)), 0x1p-24F);
}

TEST(Intrinsics, MinimumAndMaximum) {
  EXPECT_EQ(min(-1, 2), -1);
  EXPECT_EQ(max(-1, 2), 2);
  EXPECT_EQ(min(0xffffffffU, 2U), 2U);
  EXPECT_EQ(max(0xffffffffU, 2U), 0xffffffffU);
  EXPECT_EQ(min(std::int64_t{-1099511627776}, std::int64_t{3}), -1099511627776);
  EXPECT_EQ(max(-1099511627776LL, 3LL), 3LL);
  EXPECT_EQ(min(1ULL << 40, 3ULL), 3ULL);
  EXPECT_EQ(max(std::uint64_t{1} << 40, std::uint64_t{3}), 1099511627776U);
  EXPECT_EQ(min(-0.5F, 2.0F), -0.5F);
  EXPECT_EQ(max(-0.5F, 2.0F), 2.0F);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(min(nan, 2.0F), 2.0F);
  EXPECT_EQ(max(2.0F, nan), 2.0F);
}

__global__ void add(int* integers, unsigned* naturals, unsigned long long* wides, float* floats) {
  atomicAdd(integers, -1);
  atomicAdd(naturals, 2U);
  atomicAdd(wides, 1ULL << 40);
  atomicAdd(floats, 0.5F);
}

TEST(Intrinsics, AtomicAdditionsAddUp) {
  int integers = 1;
  unsigned naturals = 1;
  unsigned long long wides = 1;
  float floats = 1;
  launch(add, dim3(3), dim3(64), nullptr, &integers, &naturals, &wides, &floats);
  EXPECT_EQ(integers, 1 - 192);
  EXPECT_EQ(naturals, 1U + 384U);
  EXPECT_EQ(wides, 1ULL + (192ULL << 40));
  EXPECT_EQ(floats, 97.0F);
  EXPECT_EQ(atomicAdd(&integers, 5), -191) << "returns the value before";
}

TEST(Intrinsics, LoadAndClock) {
  const uint4 value = make_uint4(1, 2, 3, 4);
  EXPECT_EQ(__ldg(&value).w, 4U);
  const long long before = clock64();
  EXPECT_GE(clock64(), before);
}

}  // namespace
}  // namespace xnorbench::simt_test
