// XOR and VPOPCNTW with a carry-save adder whose sum needs no XOR of its own.
//
// A lane of 16 bits is one output channel. A unit has two halves of 16 input channels. Their
// differences x1 = a1 ^ w1 and x2 = a2 ^ w2, and the bits left over from before, `ones`, make a
// full adder:
//   sum   = ones ^ x1 ^ x2 = ones ^ (a1 ^ a2) ^ (w1 ^ w2)
//   carry = majority(ones, x1, x2) = ones == x1 ? ones : ~sum
// With a1 ^ a2 and w1 ^ w2 made beforehand (cpu/carry_save_units.h) the sum is one three-input
// operation, and x2 is never formed. Two units cost 3 logical operations, a popcount of the carries
// and a subtraction: 5 operations. XOR, popcount and addition would cost 6.
//
// Compiled for AVX-512 F, BW and BITALG: nothing here but the kernel.
#include <algorithm>

#include "cpu/avx512.h"
#include "cpu/carry_save_units.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {
namespace {

constexpr int pixels_per_tile = 8;
constexpr std::int64_t unit_weights = 2 * sizeof(Vector);
constexpr int xor_of_three = 0x96;
constexpr int carry_of = 0xD4;  // x, ones, sum -> ones == x ? ones : ~sum

Vector load_weights(const std::byte* p) { return _mm512_load_si512(p); }

// The operations of a step. The assembly keeps them in the order in which they are written. g++ 12
// would put those of a pixel side by side and copy registers. A three-input operation overwrites
// its first operand.
#if defined(XNORBENCH_EMULATE_AVX512)
void begin(const Unit& a, Vector w_first, Vector w_both, Vector ones, Vector& sum, Vector& x) {
  sum = _mm512_ternarylogic_epi32(_mm512_set1_epi32(static_cast<int>(a.both)), ones, w_both,
                                  xor_of_three);
  x = _mm512_xor_si512(_mm512_set1_epi32(static_cast<int>(a.first)), w_first);
}
void make_carry(Vector& x, Vector ones, Vector sum) {
  x = _mm512_ternarylogic_epi32(x, ones, sum, carry_of);
}
void count_bits(Vector& carry) { carry = _mm512_popcnt_epi16(carry); }
void take_from(Vector& carries, Vector count) { carries = _mm512_sub_epi16(carries, count); }
#else
[[gnu::always_inline]] inline void begin(const Unit& a, Vector w_first, Vector w_both, Vector ones,
                                         Vector& sum, Vector& x) {
  Vector new_sum;
  asm volatile(
      "vpbroadcastd %[a_both], %[sum]\n\t"
      "vpternlogd %[logic], %[w_both], %[ones], %[sum]\n\t"
      "vpxord %[a_first]%{1to16%}, %[w_first], %[x]"
      : [sum] "=&v"(new_sum), [x] "=&v"(x)
      : [ones] "v"(ones), [a_first] "m"(a.first), [a_both] "m"(a.both), [w_first] "v"(w_first),
        [w_both] "v"(w_both), [logic] "i"(xor_of_three));
  sum = new_sum;
}
[[gnu::always_inline]] inline void make_carry(Vector& x, Vector ones, Vector sum) {
  asm volatile("vpternlogd %[logic], %[sum], %[ones], %[x]"
               : [x] "+v"(x)
               : [ones] "v"(ones), [sum] "v"(sum), [logic] "i"(carry_of));
}
[[gnu::always_inline]] inline void count_bits(Vector& carry) {
  asm volatile("vpopcntw %0, %0" : "+v"(carry));
}
[[gnu::always_inline]] inline void take_from(Vector& carries, Vector count) {
  asm volatile("vpsubw %[count], %[carries], %[carries]"
               : [carries] "+v"(carries)
               : [count] "v"(count));
}
#endif

/// Keeps the compiler from making a pointer to each pixel's next unit: there are no registers for
/// them.
[[gnu::always_inline]] inline void hide(const std::byte*& p) { asm("" : "+r"(p)); }

/// Adds `units` units of every pixel, each from one set of registers into the other, and moves on
/// to the next units. All loops over registers are unrolled, because an array with a variable index
/// would be in memory.
template <int pixels, int units>
[[gnu::always_inline]] inline void step(const std::byte*& activations, std::int64_t pixel_stride,
                                        const std::byte*& weights, Vector (&ones)[2][pixels],
                                        Vector (&carries)[pixels]) {
  constexpr int count = units * pixels;
  // Operations that wait for the result of another come so many pixels later. Without this order
  // the processor looks ahead by itself and runs 3.3 operations a cycle; with it, 3.8 of at most 4.
  // As late as the registers allow, and before the next unit overwrites the ones.
  constexpr int carry_delay = std::min(pixels < pixels_per_tile ? 3 : 2, pixels - 1);
  constexpr int count_delay = carry_delay + 4, take_delay = count_delay + 2;
  Vector w_first, w_both;
  Vector x[count];
#pragma GCC unroll 32
  for (int i = 0; i < count + take_delay; ++i) {
    if (const int unit = i / pixels, p = i % pixels; i < count) {
      if (p == 0) {
        w_first = load_weights(weights + unit * unit_weights);
        w_both = load_weights(weights + unit * unit_weights + unit_weights / 2);
      }
      const Unit& a = *reinterpret_cast<const Unit*>(activations + p * pixel_stride);
      begin(a, w_first, w_both, ones[unit % 2][p], ones[1 - unit % 2][p], x[i]);
      if (p == pixels - 1) {
        activations += sizeof(Unit);
        hide(activations);
      }
    }
    if (const int j = i - carry_delay, from = j / pixels % 2; j >= 0 && j < count)
      make_carry(x[j], ones[from][j % pixels], ones[1 - from][j % pixels]);
    if (const int j = i - count_delay; j >= 0 && j < count) count_bits(x[j]);
    if (const int j = i - take_delay; j >= 0) take_from(carries[j % pixels], x[j]);
  }
  weights += units * unit_weights;
}

/// The values that the registers of a tile begin with. Zeros, or for an even K values that already
/// hold it, which saves an operation at the end: 4 carries - 2 (bits of ones) = K. In memory, since
/// there are no registers for it.
struct Start {
  Vector ones, carries;
  bool with_k;
};

Start choose_start(const SimdTile& tile) {
  const bool with_k = tile.finish && !tile.accumulate && tile.k % 2 == 0;
  const std::int64_t bits = with_k ? tile.k / 2 % 2 : 0;
  const std::int64_t carries = with_k ? (tile.k + 2 * bits) / 4 : 0;
  return {_mm512_set1_epi16(static_cast<std::int16_t>(bits)),
          _mm512_set1_epi16(static_cast<std::int16_t>(carries)), with_k};
}

/// The negative count if the tile began with zeros; otherwise half of the sum.
[[gnu::always_inline]] inline Vector what_remains(Vector ones, Vector carries) {
  return _mm512_sub_epi16(_mm512_add_epi16(carries, carries), _mm512_popcnt_epi16(ones));
}

/// For a tile that began with zeros: its sums, or its counts if K is not done.
[[gnu::always_inline]] inline Vector add_up(const SimdTile& tile, Vector negative,
                                            const std::int16_t* before) {
  if (tile.accumulate) negative = _mm512_sub_epi16(negative, _mm512_loadu_si512(before));
  if (!tile.finish) return _mm512_sub_epi16(_mm512_setzero_si512(), negative);
  return _mm512_add_epi16(_mm512_set1_epi16(static_cast<std::int16_t>(tile.k)),
                          _mm512_add_epi16(negative, negative));
}

template <int pixels>
[[gnu::always_inline]] inline void run_pixels(const SimdTile& tile, const Start& start,
                                              const std::byte* window, std::int16_t* sums) {
  Vector ones[2][pixels], carries[pixels];
#pragma GCC unroll 8
  for (int p = 0; p < pixels; ++p) {
    ones[0][p] = start.ones;
    carries[p] = start.carries;
  }

  const std::byte* weights = tile.weights;
  const SimdStretch* const stretches_end = tile.stretches + tile.stretch_count;
  for (const SimdStretch* stretch = tile.stretches; stretch != stretches_end; ++stretch) {
    const std::byte* activations = window + stretch->offset;
    const std::byte* const end =
        activations + stretch->units * static_cast<std::int64_t>(sizeof(Unit));
    const std::byte* const last = end - sizeof(Unit);
    // Two at a time, there and back, need no copies from one set of registers to the other.
    while (activations < last)
      step<pixels, 2>(activations, tile.pixel_stride, weights, ones, carries);
    if (activations == end) continue;
    step<pixels, 1>(activations, tile.pixel_stride, weights, ones, carries);
#pragma GCC unroll 8
    for (int p = 0; p < pixels; ++p) ones[0][p] = ones[1][p];
  }

  const std::int64_t stride = tile.sums_stride;
  const bool at_once = start.with_k;  // the usual case; asked once, not for every pixel
#pragma GCC unroll 8
  for (int p = 0; p < pixels; ++p) carries[p] = what_remains(ones[0][p], carries[p]);
#pragma GCC unroll 8
  for (int p = 0; at_once && p < pixels; ++p)
    _mm512_storeu_si512(sums + p * stride, _mm512_add_epi16(carries[p], carries[p]));
#pragma GCC unroll 8
  for (int p = 0; !at_once && p < pixels; ++p)
    _mm512_storeu_si512(sums + p * stride, add_up(tile, carries[p], sums + p * stride));
}

/// The pixels first .. end - 1 of each row, in tiles of one size. One loop goes over the tiles of
/// all rows. A loop for each row would end in a mispredicted branch, and a call for each tile would
/// take 2.5% of the time of 64 channels.
template <int pixels>
[[gnu::noinline]] void run_tiles(const SimdTile& tile, const Start& start, std::int64_t first,
                                 std::int64_t end) {
  const std::int64_t of_row = (end - first) / pixels;
  // Pixels from the last tile of a row to the first of the next.
  const std::int64_t gap = tile.pixels - (end - first);
  const std::int64_t step = pixels * tile.pixel_stride, sums_step = pixels * tile.sums_stride;
  const std::int64_t row_step = tile.row_stride - (of_row - 1) * step,
                     sums_row_step = sums_step + gap * tile.sums_stride;
  const std::byte* window = tile.activations + first * tile.pixel_stride;
  std::int16_t* sums = tile.sums + first * tile.sums_stride;
  std::int64_t left = of_row;
  for (std::int64_t i = 0; i < tile.rows * of_row; ++i) {
    run_pixels<pixels>(tile, start, window, sums);
    const bool next_row = --left == 0;
    window += next_row ? row_step : step;
    sums += next_row ? sums_row_step : sums_step;
    left = next_row ? of_row : left;
  }
}

void run_tiles(const SimdTile& tile, const Start& start, std::uint32_t size, std::int64_t first,
               std::int64_t end) {
  switch (size) {
    case 8: return run_tiles<8>(tile, start, first, end);
    case 7: return run_tiles<7>(tile, start, first, end);
    case 6: return run_tiles<6>(tile, start, first, end);
    case 5: return run_tiles<5>(tile, start, first, end);
    case 4: return run_tiles<4>(tile, start, first, end);
    case 3: return run_tiles<3>(tile, start, first, end);
    case 2: return run_tiles<2>(tile, start, first, end);
    default: return run_tiles<1>(tile, start, first, end);
  }
}

/// In tiles as even as possible. A tile of few pixels would use each loaded weight seldom, and wait
/// for its own results.
void run(const SimdTile& tile) {
  const auto pixels = static_cast<std::uint32_t>(tile.pixels);
  const std::uint32_t tiles = (pixels + pixels_per_tile - 1U) / pixels_per_tile;
  const std::uint32_t size = pixels / tiles, larger_tiles = pixels % tiles;
  const std::uint32_t first = larger_tiles * (size + 1);
  const Start start = choose_start(tile);
  if (larger_tiles > 0) run_tiles(tile, start, size + 1, 0, first);
  run_tiles(tile, start, size, first, pixels);
}

}  // namespace

const SimdKernel avx512bitalg_kernel{
    .isa = "avx512bitalg",
    .unit_channels = 32,
    .unit_bytes = sizeof(Unit),
    .partners = false,
    .weight_bytes = 4,
    .lanes = lanes,
    .vectors = 1,
    .stretch_multiple = 1,
    .stretch_units = 1024,
    .block_bytes = std::int64_t{1} << 20,  // all of K at once, as counts stay in registers
    .macs_per_operation = 2.0 * 16 * lanes / 5,
    .expand = expand,
    .pack = pack,
    .run = run};

}  // namespace xnorbench
