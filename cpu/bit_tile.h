// The work that an inner kernel on packed bits gets. Plain data and no inline function, because
// this file is included where code is compiled for instruction sets that the machine may not have.
#pragma once

#include <cstdint>

namespace xnorbench {

/// One call of an inner kernel: `pixels` rows of bits against one block of output channels.
struct BitTile {
  const std::uint64_t* rows;   ///< pixels x words; pixels are rounded up to block_pixels
  std::int64_t pixels;         ///< rows whose sums are wanted
  const std::uint64_t* block;  ///< words x block_channels
  std::int64_t words;          ///< per row
  /// sum = k - 2 * popcount(row ^ weights). It has 64 bits because twice the popcount may exceed
  /// 2^31 although the sum does not.
  std::int64_t k;
  std::int32_t* sums;        ///< first channel of the block for the first pixel
  std::int64_t sums_stride;  ///< from pixel to pixel
  std::int64_t channels;     ///< channels of the block that exist, 1 .. block_channels
};

/// An inner kernel and its register blocking.
struct BitKernel {
  const char* isa;
  std::int64_t block_pixels;
  std::int64_t block_channels;
  void (*run)(const BitTile& tile);
};

}  // namespace xnorbench
