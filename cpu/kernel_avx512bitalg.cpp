// XOR and VPOPCNTW with a carry-save adder whose sum needs no XOR of its own.
//
// A lane of 16 bits is one output channel. Two units x1 = a1 ^ w1 and x2 = a2 ^ w2 (16 input channels each) and the
// bits left over from before, `ones`, make a full adder:
//   sum   = ones ^ x1 ^ x2 = ones ^ (a1 ^ a2) ^ (w1 ^ w2)
//   carry = majority(ones, x1, x2) = ones == x1 ? ones : ~sum
// With a1 ^ a2 and w1 ^ w2 made beforehand the sum is one three-input operation, and x2 is never formed: two units
// cost 3 logical operations, a popcount of the carries and an addition, 5 where XOR, popcount, add cost 6. The
// activations hold (a1, a1 ^ a2), each twice side by side so that a broadcast of 32 bits fills a vector.
//
// Compiled for AVX-512 F, BW and BITALG: nothing here but the kernel.
#include "cpu/avx512.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {
namespace {

using Vector = __m512i;

constexpr std::int64_t lanes = 32;
constexpr std::int64_t vectors_per_block = 2;
constexpr std::int64_t pixels_per_tile = 5;
constexpr std::int64_t unit_weights = 2 * sizeof(Vector);  // of a vector of channels
constexpr int xor_of_three = 0x96;
constexpr int carry_of = 0xD4;  // x, ones, sum -> ones == x ? ones : ~sum

struct Unit {
  std::uint32_t first, both;
};

Vector load_weights(const std::byte* p) { return _mm512_load_si512(p); }

/// Adds two units to `ones` and `carries`; returns the new ones. The first operand of each three-input operation is the
/// one that it overwrites.
[[gnu::always_inline]] inline Vector add_units(Vector ones, Vector a_first, Vector a_both, Vector w_first, Vector w_both,
                                               Vector& carries) {
#if defined(XNORBENCH_EMULATE_AVX512)
  const Vector sum = _mm512_ternarylogic_epi32(a_both, ones, w_both, xor_of_three);
  const Vector x = _mm512_xor_si512(a_first, w_first);
  carries = _mm512_add_epi16(carries, _mm512_popcnt_epi16(_mm512_ternarylogic_epi32(x, ones, sum, carry_of)));
#else
  // The same, spelt out: g++ 12 copies ones and sum about more than once a step, and copies take slots of their own.
  Vector sum = a_both;
  Vector x;
  asm("vpxord %[a_first], %[w_first], %[x]\n\t"
      "vpternlogd %[xor_of_three], %[w_both], %[ones], %[sum]\n\t"
      "vpternlogd %[carry_of], %[sum], %[ones], %[x]\n\t"
      "vpopcntw %[x], %[x]\n\t"
      "vpaddw %[x], %[carries], %[carries]"
      : [sum] "+&v"(sum), [x] "=&v"(x), [carries] "+v"(carries)
      : [ones] "v"(ones), [a_first] "v"(a_first), [w_first] "v"(w_first), [w_both] "v"(w_both),
        [xor_of_three] "i"(xor_of_three), [carry_of] "i"(carry_of));
#endif
  return sum;
}

/// One unit of every pixel and vector, from `from` into `to`. All loops over these are unrolled, or they would be in memory.
template <int pixels, int vectors>
[[gnu::always_inline]] inline void step(const std::byte* activations, std::int64_t pixel_stride, const std::byte* weights,
                                        const Vector (&from)[pixels][vectors], Vector (&to)[pixels][vectors],
                                        Vector (&carries)[pixels][vectors]) {
#pragma GCC unroll 5
  for (int p = 0; p < pixels; ++p) {
    const auto* const a = reinterpret_cast<const std::int32_t*>(activations + p * pixel_stride);
    const Vector a_first = _mm512_set1_epi32(a[0]);
    const Vector a_both = _mm512_set1_epi32(a[1]);
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      const std::byte* const w = weights + v * unit_weights;
      to[p][v] = add_units(from[p][v], a_first, a_both, load_weights(w), load_weights(w + unit_weights / 2), carries[p][v]);
    }
  }
}

template <int pixels, int vectors>
void run_pixels(const SimdTile& tile, std::int64_t first) {
  Vector ones[pixels][vectors], other[pixels][vectors], carries[pixels][vectors];
#pragma GCC unroll 5
  for (int p = 0; p < pixels; ++p)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) ones[p][v] = carries[p][v] = _mm512_setzero_si512();

  const std::byte* weights = tile.weights;
  const std::byte* const window = tile.activations + first * tile.pixel_stride;
  constexpr std::int64_t weight_step = vectors * unit_weights;
  for (std::int64_t s = 0; s < tile.stretch_count; ++s) {
    const std::byte* activations = window + tile.stretches[s].offset;
    const std::int64_t units = tile.stretches[s].units;
    std::int64_t unit = 0;
    // Two at a time, to and fro: no copies from one set of registers to the other.
    for (; unit + 2 <= units; unit += 2, activations += 2 * sizeof(Unit), weights += 2 * weight_step) {
      step(activations, tile.pixel_stride, weights, ones, other, carries);
      step(activations + sizeof(Unit), tile.pixel_stride, weights + weight_step, other, ones, carries);
    }
    if (unit == units) continue;
    step(activations, tile.pixel_stride, weights, ones, ones, carries);
    weights += weight_step;
  }

  const Vector k = _mm512_set1_epi16(static_cast<std::int16_t>(tile.k));
#pragma GCC unroll 5
  for (int p = 0; p < pixels; ++p)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      std::int16_t* const sums = tile.sums + (first + p) * tile.sums_stride + v * lanes;
      const Vector twice = _mm512_add_epi16(carries[p][v], carries[p][v]);
      Vector count = _mm512_add_epi16(twice, _mm512_popcnt_epi16(ones[p][v]));
      if (tile.accumulate) count = _mm512_add_epi16(count, _mm512_loadu_si512(sums));
      if (tile.finish) count = _mm512_sub_epi16(k, _mm512_add_epi16(count, count));
      _mm512_storeu_si512(sums, count);
    }
}

/// The last two tiles share what is left: a tile of one pixel would use each loaded weight once.
template <int vectors>
void run_row(const SimdTile& tile) {
  std::int64_t pixel = 0;
  while (pixel < tile.pixels) {
    const std::int64_t left = tile.pixels - pixel;
    const std::int64_t taken = left >= 2 * pixels_per_tile ? pixels_per_tile
                               : left > pixels_per_tile    ? (left + 1) / 2
                                                           : left;
    switch (taken) {
      case 5: run_pixels<5, vectors>(tile, pixel); break;
      case 4: run_pixels<4, vectors>(tile, pixel); break;
      case 3: run_pixels<3, vectors>(tile, pixel); break;
      case 2: run_pixels<2, vectors>(tile, pixel); break;
      default: run_pixels<1, vectors>(tile, pixel); break;
    }
    pixel += taken;
  }
}

void run(const SimdTile& tile) { tile.vectors == 2 ? run_row<2>(tile) : run_row<1>(tile); }

std::uint32_t twice(std::uint32_t sixteen_bits) { return sixteen_bits | sixteen_bits << 16; }

Unit to_unit(std::uint32_t bits) {
  const std::uint32_t low = bits & 0xFFFFU;
  return {twice(low), twice(low ^ bits >> 16)};
}

/// Two units, of one packed word, in each of `lanes`: bytes 0 1 0 1 and (0 1 0 1) ^ (2 3 2 3) of each half.
Vector to_units(Vector words) {
  const Vector low = _mm512_broadcast_i32x4(_mm_set_epi8(5, 4, 5, 4, 5, 4, 5, 4, 1, 0, 1, 0, 1, 0, 1, 0));
  const Vector high = _mm512_broadcast_i32x4(_mm_set_epi8(7, 6, 7, 6, -1, -1, -1, -1, 3, 2, 3, 2, -1, -1, -1, -1));
  return _mm512_xor_si512(_mm512_shuffle_epi8(words, low), _mm512_shuffle_epi8(words, high));
}

void expand_words(const std::uint64_t* words, std::int64_t count, Unit* out) {
  const Vector twice = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Vector four = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i)));
    _mm512_storeu_si512(out + 2 * i, to_units(_mm512_permutexvar_epi64(twice, four)));
  }
  for (; i < count; ++i) {
    out[2 * i] = to_unit(static_cast<std::uint32_t>(words[i]));
    out[2 * i + 1] = to_unit(static_cast<std::uint32_t>(words[i] >> 32));
  }
}

void expand(const SimdPixels& pixels, std::int64_t units, std::byte* expanded) {
  auto* out = reinterpret_cast<Unit*>(expanded);
  const std::int64_t words = units / 2;
  const bool half = units % 2 != 0;  // of a last word
  if (!half && pixels.stride == words) return expand_words(pixels.words, pixels.count * words, out);
  for (std::int64_t x = 0; x < pixels.count; ++x) {
    const std::uint64_t* const pixel = pixels.words + x * pixels.stride;
    expand_words(pixel, words, out);
    out += 2 * words;
    if (half) *out++ = to_unit(static_cast<std::uint32_t>(pixel[words]));
  }
}

void pack(std::uint32_t bits, std::int64_t unit, std::int64_t channel, std::int64_t vectors, std::byte* block) {
  const Unit packed = to_unit(bits);
  auto* const halves = reinterpret_cast<std::uint16_t*>(block) + (unit * vectors + channel / lanes) * 2 * lanes + channel % lanes;
  halves[0] = static_cast<std::uint16_t>(packed.first);
  halves[lanes] = static_cast<std::uint16_t>(packed.both);
}

}  // namespace

const SimdKernel avx512bitalg_kernel{
    .isa = "avx512bitalg",
    .unit_channels = 32,
    .unit_bytes = sizeof(Unit),
    .partners = false,
    .weight_bytes = 4,
    .lanes = lanes,
    .vectors = vectors_per_block,
    .stretch_multiple = 1,
    .stretch_units = 1024,
    .block_bytes = std::int64_t{1} << 20,  // all of K at once: counts stay in registers
    .macs_per_operation = 2.0 * 16 * lanes / 5,
    .expand = expand,
    .pack = pack,
    .run = run};

}  // namespace xnorbench
