// The interface of the inner kernels of cpu_xnor_simd. Plain data and no inline function, because
// this file is included where code is compiled for instruction sets that the machine may not have.
//
// K is cut into units. A unit is a few input channels of one tap; each kernel says how many. A
// kernel expands packed activations into units, packs weights into units, and sums over stretches,
// which are units that lie side by side in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xnorbench {

/// Units that lie side by side in the activations: those of one tap, or of a kernel row.
struct SimdStretch {
  std::int64_t offset;  ///< bytes from the window's first unit
  std::int64_t units;   ///< at most SimdKernel::stretch_units
};

/// One call: the output pixels of some rows by one block of output channels, over some of the
/// stretches.
struct SimdTile {
  const std::byte* activations;  ///< first unit of the first pixel's window
  std::int64_t pixel_stride;     ///< bytes from one pixel's window to the next
  std::int64_t row_stride;       ///< bytes from one row's first window to the next row's
  std::int64_t rows, pixels;     ///< rows, and pixels of each row
  const SimdStretch* stretches;
  std::int64_t stretch_count;
  const std::byte* weights;  ///< of the block, from the first of these stretches on
  std::int64_t vectors;      ///< vectors that hold the block's channels, 1 .. SimdKernel::vectors
  /// Rows by pixels by channels of the block. They hold counts of differing bits (unsigned, below
  /// 65536) until all of K is counted, then sums.
  std::int16_t* sums;
  std::int64_t sums_stride;  ///< elements from pixel to pixel
  bool accumulate;           ///< `sums` holds counts of earlier stretches; add to them
  bool finish;               ///< sums = k - 2 * count, for a k of at most largest_i16_k
  std::int64_t k;
};

/// Packed words (bit = channel) of some pixels; strides of 0 repeat them.
struct SimdWords {
  const std::uint64_t* first;
  std::int64_t stride, row_stride;  ///< words from pixel to pixel, from row to row
};

/// Pixels to expand. A unit may hold the channels of two pixels (SimdKernel::partners). The partner
/// of a pixel is the one that the next output pixel reads in its place.
struct SimdPixels {
  std::int64_t rows, columns;
  SimdWords words, partner_words;
  std::int64_t expanded_row_bytes;  ///< from row to row of the expanded pixels
};

struct SimdKernel {
  const char* isa;
  std::int64_t unit_channels;     ///< input channels of a unit, at most 32
  std::int64_t unit_bytes;        ///< of an expanded unit
  bool partners;                  ///< a unit holds channels of two pixels
  std::int64_t weight_bytes;      ///< of one unit and one output channel
  std::int64_t lanes;             ///< output channels of a vector
  std::int64_t vectors;           ///< largest block of output channels
  std::int64_t stretch_multiple;  ///< a stretch runs fastest when its units divide by it
  std::int64_t stretch_units;     ///< longest stretch
  /// Largest weights of one call, so that they stay in the L1 cache.
  std::int64_t block_bytes;
  /// MACs of a tile's K loop per vector operation, for the bound (cpu/bounds.h).
  double macs_per_operation;

  void (*expand)(const SimdPixels& pixels, std::int64_t units, std::byte* expanded);
  /// Puts one unit of one output channel into a block of `vectors` vectors. `bits`: its signs, as
  /// in the packed words.
  void (*pack)(std::uint32_t bits, std::int64_t unit, std::int64_t channel, std::int64_t vectors,
               std::byte* block);
  void (*run)(const SimdTile& tile);
};

/// avx2_kernel and so on; `none_kernel` has no functions.
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) \
  extern const SimdKernel kernel##_kernel;
#include "core/isas.def"
#undef XNORBENCH_ISA

}  // namespace xnorbench
