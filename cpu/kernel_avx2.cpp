// XOR and popcount on 256 bits: bytes are counted by a table of nibbles in a register (Mula's method).
//
// A vector holds the same word of four channels; one word of a pixel is spread over it. Byte counts add up
// over 31 words (31 * 8 = 248) before they are summed into 64-bit lanes, which are the four channels. Two
// vectors of channels by four pixels: eight vectors of counts, and each table lookup's constants, stay in
// the sixteen registers.
//
// Compiled for AVX2: nothing here but the kernel, and no inline function of the project.
#include <immintrin.h>

#include <xsimd/xsimd.hpp>

#include "cpu/simd_kernels.h"

namespace xnorbench {
namespace {

using Bytes = xsimd::batch<std::uint8_t, xsimd::avx2>;
using Words = xsimd::batch<std::uint64_t, xsimd::avx2>;

constexpr std::int64_t pixels_per_block = 4;
constexpr std::int64_t vectors_per_block = 2;
constexpr std::int64_t channels_per_vector = Words::size;
constexpr std::int64_t channels_per_block = vectors_per_block * channels_per_vector;
constexpr std::int64_t words_per_flush = 31;

struct Constants {
  Bytes counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                  0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  Bytes low_nibble = Bytes(std::uint8_t{15});
};

inline Bytes count_bytes(const Constants& constants, Words bits) {
  const Bytes low = Bytes(bits.data) & constants.low_nibble;
  const Bytes high = Bytes(_mm256_srli_epi16(bits.data, 4)) & constants.low_nibble;
  return Bytes(_mm256_shuffle_epi8(constants.counts.data, low.data)) +
         Bytes(_mm256_shuffle_epi8(constants.counts.data, high.data));
}

void run_block(const Constants& constants, const BitTile& tile, std::int64_t pixel, Words (&popcounts)[pixels_per_block][vectors_per_block]) {
  for (std::int64_t first = 0; first < tile.words; first += words_per_flush) {
    const std::int64_t end = first + words_per_flush < tile.words ? first + words_per_flush : tile.words;
    Bytes bytes[pixels_per_block][vectors_per_block];
    for (auto& row : bytes)
      for (Bytes& counts : row) counts = Bytes(std::uint8_t{0});
    for (std::int64_t word = first; word < end; ++word) {
      Words weights[vectors_per_block];
      for (std::int64_t v = 0; v < vectors_per_block; ++v)
        weights[v] = Words::load_unaligned(tile.block + word * channels_per_block + v * channels_per_vector);
      for (std::int64_t p = 0; p < pixels_per_block; ++p) {
        const Words row(tile.rows[(pixel + p) * tile.words + word]);
        for (std::int64_t v = 0; v < vectors_per_block; ++v)
          bytes[p][v] = bytes[p][v] + count_bytes(constants, row ^ weights[v]);
      }
    }
    for (std::int64_t p = 0; p < pixels_per_block; ++p)
      for (std::int64_t v = 0; v < vectors_per_block; ++v)
        popcounts[p][v] = popcounts[p][v] + Words(_mm256_sad_epu8(bytes[p][v].data, _mm256_setzero_si256()));
  }
}

void avx2_tile(const BitTile& tile) {
  const Constants constants;
  for (std::int64_t pixel = 0; pixel < tile.pixels; pixel += pixels_per_block) {
    Words popcounts[pixels_per_block][vectors_per_block];
    for (auto& row : popcounts)
      for (Words& counts : row) counts = Words(std::uint64_t{0});
    run_block(constants, tile, pixel, popcounts);
    const std::int64_t pixels = tile.pixels - pixel < pixels_per_block ? tile.pixels - pixel : pixels_per_block;
    for (std::int64_t p = 0; p < pixels; ++p) {
      alignas(32) std::uint64_t counts[channels_per_block];
      for (std::int64_t v = 0; v < vectors_per_block; ++v)
        popcounts[p][v].store_aligned(counts + v * channels_per_vector);
      for (std::int64_t c = 0; c < tile.channels; ++c)
        tile.sums[(pixel + p) * tile.sums_stride + c] =
            static_cast<std::int32_t>(tile.k - 2 * static_cast<std::int64_t>(counts[c]));
    }
  }
}

}  // namespace

const BitKernel avx2_kernel{"avx2", pixels_per_block, channels_per_block, avx2_tile};

}  // namespace xnorbench
