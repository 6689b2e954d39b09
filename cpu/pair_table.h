// The pair table: a byte shuffle as a popcount of XOR for two pixels at once.
//
// A pair is two nibbles a0 and a1: four channels of two neighbouring output pixels. Each pair has a
// table of 16 bytes. Shuffling it by the nibbles w of many output channels gives for each of them
// pop(a0 ^ w) + 16 * pop(a1 ^ w), without an XOR, a mask or a sum across lanes. Three such bytes
// are added into x, whose nibbles are then at most 12. Two counters are kept in bytes, modulo 256:
//   A += x        and        H += x >> 4
// The shift is one of 16-bit lanes without a mask, so that the high nibble of an odd byte also
// lands in its even neighbour. flush() takes that apart again. 21 steps fit: 21 * 12 = 252.
//
// Within a vector, byte 2 j is channel j and byte 2 j + 1 is channel lanes / 2 + j. So the even and
// the odd bytes, which become vectors of 16 bits, hold channels in order.
//
// `Vector` brings the instruction set: see kernel_avx2.cpp. Everything is in an unnamed namespace
// or a template of its types, because each file that includes this has its own instruction set.
#pragma once

#include "cpu/simd_kernel.h"

namespace xnorbench {
namespace {

struct PairTable {
  /// The row of a pair is a0 | a1 << 4.
  alignas(64) std::uint8_t rows[256][16];
};

constexpr PairTable make_pair_table() {
  PairTable table{};
  for (unsigned pair = 0; pair < 256; ++pair)
    for (unsigned w = 0; w < 16; ++w) {
      const int first = __builtin_popcount((pair & 15U) ^ w);
      const int second = __builtin_popcount((pair >> 4) ^ w);
      table.rows[pair][w] = static_cast<std::uint8_t>(first + 16 * second);
    }
  return table;
}

constexpr PairTable pair_table = make_pair_table();
constexpr std::int64_t steps_per_flush = 21;
constexpr std::int64_t units_per_step = 3;
constexpr std::int64_t units_per_word = 16;

template <typename Vector>
struct PairKernel {
  using Bytes = typename Vector::Bytes;
  using Halves = typename Vector::Halves;
  static constexpr std::int64_t lanes = Vector::lanes;

  /// Counters of one vector of channels for one pair of pixels.
  struct Counters {
    Bytes a, h;
  };

  /// Counts of a pair: first pixel even and odd bytes, second pixel even and odd bytes.
  struct Counts {
    Halves first_even, first_odd, second_even, second_odd;
  };

  static Counts flush(const Counters& c) {
    const Halves a = Vector::halves(c.a);
    const Halves h = Vector::halves(c.h);
    Counts counts;
    counts.second_odd = Vector::shift_right_8(h);
    counts.first_odd = Vector::low_byte(
        Vector::sub(Vector::shift_right_8(a), Vector::shift_left_4(counts.second_odd)));
    counts.second_even = Vector::low_byte(Vector::sub(h, Vector::shift_left_4(counts.first_odd)));
    counts.first_even = Vector::low_byte(Vector::sub(a, Vector::shift_left_4(counts.second_even)));
    return counts;
  }

  static Bytes table_of(const std::byte* activations, std::int64_t unit) {
    const std::uint16_t offset = reinterpret_cast<const std::uint16_t*>(activations)[unit];
    return Vector::load_table(pair_table.rows[0] + offset);
  }

  /// `groups` units (1 to 3) of all vectors.
  template <int groups, int vectors>
  [[gnu::always_inline]] static void step(const std::byte* activations, std::int64_t unit,
                                          const std::byte* weights, Counters (&counters)[vectors]) {
    Bytes tables[groups];
#pragma GCC unroll 3
    for (int g = 0; g < groups; ++g) tables[g] = table_of(activations, unit + g);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      Bytes x = Vector::shuffle(tables[0], Vector::load(weights + v * lanes));
#pragma GCC unroll 2
      for (int g = 1; g < groups; ++g)
        x = Vector::add(
            x, Vector::shuffle(tables[g], Vector::load(weights + (g * vectors + v) * lanes)));
      counters[v].a = Vector::add(counters[v].a, x);
      counters[v].h = Vector::add(counters[v].h, Vector::shift_right_4(x));
    }
  }

  /// Adds the counts of one stretch to `counts` (first pixel even and odd bytes, second pixel even
  /// and odd bytes). It is a function of its own because g++ keeps the counters in registers only
  /// if there is nothing else.
  template <int vectors>
  [[gnu::noinline]] static void count_stretch(const std::byte* activations, std::int64_t units,
                                              const std::byte* weights,
                                              std::int16_t (&counts)[vectors][4][lanes / 2]) {
    Counters counters[vectors];
#pragma GCC unroll 4
    for (Counters& c : counters) c = {Vector::zero_bytes(), Vector::zero_bytes()};
    std::int64_t unit = 0;
    for (; unit + units_per_step <= units;
         unit += units_per_step, weights += units_per_step * vectors * lanes)
      step<3>(activations, unit, weights, counters);
    if (units - unit == 2) step<2>(activations, unit, weights, counters);
    if (units - unit == 1) step<1>(activations, unit, weights, counters);
    auto add = [](std::int16_t* to, Halves more) {
      Vector::store_halves(to, Vector::add16(Vector::load_halves(to), more));
    };
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const Counts more = flush(counters[v]);
      add(counts[v][0], more.first_even);
      add(counts[v][1], more.first_odd);
      add(counts[v][2], more.second_even);
      add(counts[v][3], more.second_odd);
    }
  }

  /// The pair at pixel `first`; at the end of a row only the first of it exists. One pair at a
  /// time: two, with half the vectors each, were 20 to 30% slower on every instruction set.
  template <int vectors>
  static void run_pair(const SimdTile& tile, std::int64_t first) {
    alignas(64) std::int16_t counts[vectors][4][lanes / 2];
    for (auto& of_vector : counts)
      for (auto& row : of_vector) Vector::store_halves(row, Vector::zero_halves());
    const std::byte* weights = tile.weights;
    const std::byte* const window = tile.activations + first * tile.pixel_stride;
    for (std::int64_t s = 0; s < tile.stretch_count; ++s) {
      const SimdStretch& stretch = tile.stretches[s];
      count_stretch(window + stretch.offset, stretch.units, weights, counts);
      weights += stretch.units * vectors * lanes;
    }
    for (int v = 0; v < vectors; ++v) {
      std::int16_t* const sums = tile.sums + first * tile.sums_stride + v * lanes;
      store(tile, counts[v][0], counts[v][1], sums);
      if (first + 1 < tile.pixels) store(tile, counts[v][2], counts[v][3], sums + tile.sums_stride);
    }
  }

  static void store(const SimdTile& tile, const std::int16_t* even_counts,
                    const std::int16_t* odd_counts, std::int16_t* sums) {
    Halves even = Vector::load_halves(even_counts);
    Halves odd = Vector::load_halves(odd_counts);
    if (tile.accumulate) {
      even = Vector::add16(even, Vector::load_halves(sums));
      odd = Vector::add16(odd, Vector::load_halves(sums + lanes / 2));
    }
    if (tile.finish) {
      const Halves k = Vector::broadcast(static_cast<std::int16_t>(tile.k));
      even = Vector::sub(k, Vector::add16(even, even));
      odd = Vector::sub(k, Vector::add16(odd, odd));
    }
    Vector::store_halves(sums, even);
    Vector::store_halves(sums + lanes / 2, odd);
  }

  template <int vectors>
  static void run_rows(SimdTile tile) {
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      for (std::int64_t pixel = 0; pixel < tile.pixels; pixel += 2) run_pair<vectors>(tile, pixel);
      tile.activations += tile.row_stride;
      tile.sums += tile.pixels * tile.sums_stride;
    }
  }

  static void run(const SimdTile& tile) {
    switch (tile.vectors) {
      case 4: return run_rows<4>(tile);
      case 3: return run_rows<3>(tile);
      case 2: return run_rows<2>(tile);
      default: return run_rows<1>(tile);
    }
  }

  /// A unit is the byte offset of its row in the table, of 16 bits.
  static void expand(const SimdPixels& pixels, std::int64_t units, std::byte* expanded) {
    for (std::int64_t y = 0; y < pixels.rows; ++y) {
      const std::uint64_t* first = pixels.words.first + y * pixels.words.row_stride;
      const std::uint64_t* second =
          pixels.partner_words.first + y * pixels.partner_words.row_stride;
      auto* out = reinterpret_cast<std::uint16_t*>(expanded + y * pixels.expanded_row_bytes);
      for (std::int64_t x = 0; x < pixels.columns; ++x, out += units) {
        expand_pixel(first, second, units, out);
        first += pixels.words.stride;
        second += pixels.partner_words.stride;
      }
    }
  }

  static void expand_pixel(const std::uint64_t* first, const std::uint64_t* second,
                           std::int64_t units, std::uint16_t* out) {
    const std::int64_t words = units / units_per_word;
    for (std::int64_t i = 0; i < words; ++i)
      for (int part = 0; part < 4; ++part) {
        const std::uint64_t four =
            spread(first[i] >> 16 * part) << 4 | spread(second[i] >> 16 * part) << 8;
        __builtin_memcpy(out + units_per_word * i + 4 * part, &four, sizeof four);
      }
    for (std::int64_t u = units_per_word * words; u < units; ++u)
      out[u] = static_cast<std::uint16_t>(nibble(first, u) << 4 | nibble(second, u) << 8);
  }

  static unsigned nibble(const std::uint64_t* words, std::int64_t unit) {
    return words[unit / units_per_word] >> (unit % units_per_word * 4) & 15U;
  }

  /// Moves the four nibbles of the low 16 bits to the low ends of four 16-bit parts.
  static std::uint64_t spread(std::uint64_t bits) {
    const std::uint64_t nibbles = bits & 0xFFFFU;
    const std::uint64_t bytes = (nibbles | nibbles << 24) & 0x000000FF000000FFU;
    return (bytes | bytes << 12) & 0x000F000F000F000FU;
  }

  static void pack(std::uint32_t bits, std::int64_t unit, std::int64_t channel,
                   std::int64_t vectors, std::byte* block) {
    const std::int64_t lane = channel % lanes;
    const std::int64_t byte = lane < lanes / 2 ? 2 * lane : 2 * (lane - lanes / 2) + 1;
    block[(unit * vectors + channel / lanes) * lanes + byte] = static_cast<std::byte>(bits);
  }

  /// 3 shuffles, 2 additions in x, one to A, a shift and one to H: 8 operations for 3 units of a
  /// pair.
  static constexpr double macs_per_operation =
      2.0 * 4 * units_per_step * static_cast<double>(lanes) / 8;

  static constexpr SimdKernel kernel(const char* isa, std::int64_t block_bytes) {
    return {.isa = isa,
            .unit_channels = 4,
            .unit_bytes = 2,
            .partners = true,
            .weight_bytes = 1,
            .lanes = lanes,
            .vectors = Vector::vectors,
            .stretch_multiple = units_per_step,
            .stretch_units = units_per_step * steps_per_flush,
            .block_bytes = block_bytes,
            .macs_per_operation = macs_per_operation,
            .expand = expand,
            .pack = pack,
            .run = run};
  }
};

}  // namespace
}  // namespace xnorbench
