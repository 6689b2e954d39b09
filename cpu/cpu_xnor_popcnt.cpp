// cpu_xnor_popcnt: XOR and the x86 POPCNT instruction on 64-bit words, blocked for registers.
//
// A tile is two pixels by four channels. Eight sums, two pixel words and one weight word fill the
// sixteen general registers. Each loaded word is used four or two times.
#include "cpu/bit_convolution.h"
#include "cpu/bounds.h"

namespace xnorbench {
namespace {

#if defined(__x86_64__)

constexpr std::int64_t block_pixels = 2;
constexpr std::int64_t block_channels = 4;

// An attribute and not a flag for the file: a processor without POPCNT runs the rest of this file,
// which must not be compiled for it.
__attribute__((target("popcnt"))) void popcnt_tile(const BitTile& tile) {
  for (std::int64_t p = 0; p < tile.pixels; p += block_pixels) {
    const std::uint64_t* const row0 = tile.rows + p * tile.words;
    const std::uint64_t* const row1 = row0 + tile.words;
    std::uint64_t pop[block_pixels][block_channels] = {};
    const std::uint64_t* weights = tile.block;
    for (std::int64_t word = 0; word < tile.words; ++word, weights += block_channels) {
      const std::uint64_t a0 = row0[word];
      const std::uint64_t a1 = row1[word];
#pragma GCC unroll 4
      for (std::int64_t c = 0; c < block_channels; ++c) {
        pop[0][c] += static_cast<std::uint64_t>(__builtin_popcountll(a0 ^ weights[c]));
        pop[1][c] += static_cast<std::uint64_t>(__builtin_popcountll(a1 ^ weights[c]));
      }
    }
    std::int32_t* const sums0 = tile.sums + p * tile.sums_stride;
    std::int32_t* const sums1 = sums0 + tile.sums_stride;
    const bool second = p + 1 < tile.pixels;
    if (second && tile.channels == block_channels) {
#pragma GCC unroll 4
      for (std::int64_t c = 0; c < block_channels; ++c) {
        sums0[c] = static_cast<std::int32_t>(tile.k - 2 * static_cast<std::int64_t>(pop[0][c]));
        sums1[c] = static_cast<std::int32_t>(tile.k - 2 * static_cast<std::int64_t>(pop[1][c]));
      }
    } else {
      for (std::int64_t c = 0; c < tile.channels; ++c) {
        sums0[c] = static_cast<std::int32_t>(tile.k - 2 * static_cast<std::int64_t>(pop[0][c]));
        if (second)
          sums1[c] = static_cast<std::int32_t>(tile.k - 2 * static_cast<std::int64_t>(pop[1][c]));
      }
    }
  }
}

constexpr BitKernel kernel{"x86-64+popcnt", block_pixels, block_channels, popcnt_tile};

#else

// Never run, as Machine::has("popcnt") is false here.
constexpr BitKernel kernel{"", 1, 1, nullptr};

#endif

}  // namespace

const Implementation& cpu_xnor_popcnt() {
  static const BitImplementation implementation(
      {"cpu_xnor_popcnt", "cpu", "xnor",
       "XOR and the POPCNT instruction on 64-bit words, register-blocked"},
      kernel, "popcnt", popcnt_bound);
  return implementation;
}

}  // namespace xnorbench
