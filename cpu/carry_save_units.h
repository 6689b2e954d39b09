// The units of kernel_avx512bitalg.cpp: 32 input channels of one tap, as two halves a1 and a2
// of 16. The kernel wants a1 and a1 ^ a2. Expanded activations hold each of them twice side by
// side, so that a broadcast of 32 bits fills a vector. Packed weights hold each once for every
// output channel.
//
// All is in an unnamed namespace, because this is compiled for AVX-512 (core/isa.h says more).
#pragma once

#include "cpu/avx512.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {
namespace {

using Vector = __m512i;

constexpr std::int64_t lanes = 32;  // output channels of a vector

struct Unit {
  std::uint32_t first;  ///< a1, twice
  std::uint32_t both;   ///< a1 ^ a2, twice
};

std::uint32_t twice(std::uint32_t sixteen_bits) { return sixteen_bits | sixteen_bits << 16; }

Unit to_unit(std::uint32_t bits) {
  const std::uint32_t low = bits & 0xFFFFU;
  return {twice(low), twice(low ^ bits >> 16)};
}

/// The units of four packed words, two each. From each half of a word they take the bytes 0 1 0 1,
/// and (0 1 0 1) ^ (2 3 2 3).
Vector to_units(const std::uint64_t* words) {
  const Vector twice = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
  const Vector low =
      _mm512_broadcast_i32x4(_mm_set_epi8(5, 4, 5, 4, 5, 4, 5, 4, 1, 0, 1, 0, 1, 0, 1, 0));
  const Vector high =
      _mm512_broadcast_i32x4(_mm_set_epi8(7, 6, 7, 6, -1, -1, -1, -1, 3, 2, 3, 2, -1, -1, -1, -1));
  const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
  const Vector both = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(four));
  return _mm512_xor_si512(_mm512_shuffle_epi8(both, low), _mm512_shuffle_epi8(both, high));
}

void expand_words(const std::uint64_t* words, std::int64_t count, Unit* out) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
#pragma GCC unroll 4
    for (std::int64_t j = i; j < i + 16; j += 4)
      _mm512_storeu_si512(out + 2 * j, to_units(words + j));
  for (; i + 4 <= count; i += 4) _mm512_storeu_si512(out + 2 * i, to_units(words + i));
  for (; i < count; ++i) {
    out[2 * i] = to_unit(static_cast<std::uint32_t>(words[i]));
    out[2 * i + 1] = to_unit(static_cast<std::uint32_t>(words[i] >> 32));
  }
}

void expand(const SimdPixels& pixels, std::int64_t units, std::byte* expanded) {
  const std::int64_t words = units / 2, stride = pixels.words.stride;
  const bool half = units % 2 != 0;  // of a last word
  for (std::int64_t y = 0; y < pixels.rows; ++y) {
    const std::uint64_t* pixel = pixels.words.first + y * pixels.words.row_stride;
    auto* out = reinterpret_cast<Unit*>(expanded + y * pixels.expanded_row_bytes);
    if (!half && stride == words) {
      expand_words(pixel, pixels.columns * words, out);
      continue;
    }
    for (std::int64_t x = 0; x < pixels.columns; ++x, pixel += stride, out += units) {
      expand_words(pixel, words, out);
      if (half) out[units - 1] = to_unit(static_cast<std::uint32_t>(pixel[words]));
    }
  }
}

void pack(std::uint32_t bits, std::int64_t unit, std::int64_t channel, std::int64_t,
          std::byte* block) {
  const Unit packed = to_unit(bits);
  auto* const halves = reinterpret_cast<std::uint16_t*>(block) + unit * 2 * lanes + channel;
  halves[0] = static_cast<std::uint16_t>(packed.first);
  halves[lanes] = static_cast<std::uint16_t>(packed.both);
}

}  // namespace
}  // namespace xnorbench
