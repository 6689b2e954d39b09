// cpu_xnor_swar: XOR and population count by arithmetic on 64-bit words ("SIMD within a register"),
// for processors without a popcount instruction. Plain C++, right on any machine.
//
// Counts stay in bytes. Up to 31 words add at most 31 * 8 = 248 to each byte before the bytes must
// be summed up, so the sum across bytes is paid once in 31 words.
#include <algorithm>

#include "cpu/bit_convolution.h"
#include "cpu/bounds.h"

namespace xnorbench {
namespace {

constexpr std::int64_t block_channels = 4;
constexpr std::int64_t words_per_flush = 31;

/// Each byte of the result holds the number of ones in that byte of x (Warren, Hacker's Delight,
/// 5-1).
inline std::uint64_t byte_counts(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
  return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
}

/// Sum of the eight bytes, in 16-bit lanes, since it may reach 31 * 64.
inline std::int32_t sum_bytes(std::uint64_t bytes) {
  const std::uint64_t pairs = (bytes & 0x00FF00FF00FF00FFU) + ((bytes >> 8) & 0x00FF00FF00FF00FFU);
  return static_cast<std::int32_t>((pairs * 0x0001000100010001U) >> 48);
}

void swar_tile(const BitTile& tile) {
  for (std::int64_t p = 0; p < tile.pixels; ++p) {
    const std::uint64_t* const row = tile.rows + p * tile.words;
    std::int64_t pop[block_channels] = {};
    for (std::int64_t first = 0; first < tile.words; first += words_per_flush) {
      const std::int64_t end = std::min(first + words_per_flush, tile.words);
      std::uint64_t bytes[block_channels] = {};
      for (std::int64_t word = first; word < end; ++word)
        for (std::int64_t c = 0; c < block_channels; ++c)
          bytes[c] += byte_counts(row[word] ^ tile.block[word * block_channels + c]);
      for (std::int64_t c = 0; c < block_channels; ++c) pop[c] += sum_bytes(bytes[c]);
    }
    for (std::int64_t c = 0; c < tile.channels; ++c)
      tile.sums[p * tile.sums_stride + c] = static_cast<std::int32_t>(tile.k - 2 * pop[c]);
  }
}

constexpr BitKernel kernel{"baseline", 1, block_channels, swar_tile};

}  // namespace

const Implementation& cpu_xnor_swar() {
  static const BitImplementation implementation(
      {"cpu_xnor_swar", "cpu", "xnor",
       "XOR and popcount by arithmetic on 64-bit words, no special instruction"},
      kernel, "", swar_bound);
  return implementation;
}

}  // namespace xnorbench
