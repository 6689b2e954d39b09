// What the inner kernels of cpu_xnor_simd have in common. Plain data and no inline function: this
// file is included where code is compiled for instruction sets that the machine may not have.
//
// K is cut into units of a few input channels of one tap. A kernel says how many, expands packed
// activations into units, packs weights into units, and sums over stretches of units that lie side
// by side in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xnorbench {

/// Side by side in the activations: one tap, or all of a kernel row.
struct SimdStretch {
  std::int64_t offset;  ///< bytes from the window's first unit
  std::int64_t units;   ///< at most SimdKernel::stretch_units
};

/// One call: output pixels of some rows by one block of output channels, over some of the
/// stretches.
struct SimdTile {
  const std::byte* activations;  ///< first unit of the first pixel's window
  std::int64_t pixel_stride;     ///< bytes from one pixel's window to the next
  std::int64_t row_stride;       ///< and from one row's to the next
  std::int64_t rows, pixels;     ///< pixels of a row
  const SimdStretch* stretches;
  std::int64_t stretch_count;
  const std::byte* weights;  ///< of the block, from the first of these stretches on
  std::int64_t vectors;      ///< of the block's channels, 1 .. SimdKernel::vectors
  /// Rows by pixels by channels of the block. While K is not done they hold counts of differing
  /// bits (unsigned, below 65536), then sums.
  std::int16_t* sums;
  std::int64_t sums_stride;  ///< elements from pixel to pixel
  bool accumulate;           ///< counts of earlier stretches are there and are added to
  bool finish;               ///< sums = k - 2 * count, for a k of at most largest_i16_k
  std::int64_t k;
};

/// Packed words (bit = channel) of some pixels; strides of 0 repeat them.
struct SimdWords {
  const std::uint64_t* first;
  std::int64_t stride, row_stride;  ///< words from pixel to pixel, from row to row
};

/// Pixels to expand. A unit may hold the channels of two pixels (SimdKernel::partners): each
/// pixel's partner is the one that the next output pixel sees in its place.
struct SimdPixels {
  std::int64_t rows, columns;
  SimdWords words, partner_words;
  std::int64_t expanded_row_bytes;  ///< from row to row of what they become
};

struct SimdKernel {
  const char* isa;
  std::int64_t unit_channels;     ///< input channels of a unit, at most 32
  std::int64_t unit_bytes;        ///< of an expanded unit
  bool partners;                  ///< whether a unit is of two pixels
  std::int64_t weight_bytes;      ///< of a unit and output channel
  std::int64_t lanes;             ///< output channels of a vector
  std::int64_t vectors;           ///< largest block of output channels
  std::int64_t stretch_multiple;  ///< a stretch runs fastest when its units divide by it
  std::int64_t stretch_units;     ///< longest stretch
  std::int64_t
      block_bytes;  ///< weights of the stretches of one call, so that they stay in the L1 cache
  /// MACs of a tile's K loop per vector operation, for the limit (cpu/bounds.h).
  double macs_per_operation;

  void (*expand)(const SimdPixels& pixels, std::int64_t units, std::byte* expanded);
  /// Puts a unit of one channel of a block of `vectors` into the block; `bits` as in the packed
  /// words.
  void (*pack)(std::uint32_t bits, std::int64_t unit, std::int64_t channel, std::int64_t vectors,
               std::byte* block);
  void (*run)(const SimdTile& tile);
};

#if defined(__x86_64__)
extern const SimdKernel avx2_kernel, avx512bw_kernel, avx512bitalg_kernel;
#elif defined(__aarch64__)
extern const SimdKernel neon_kernel;
#endif

}  // namespace xnorbench
