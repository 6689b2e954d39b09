// cpu_xnor_example: XOR and std::popcount, one word at a time.
#include <bit>

#include "cpu/bit_convolution.h"

namespace xnorbench {
namespace {

// The sums of one output channel for a tile of pixels.
void example_tile(const BitTile& tile) {
  for (std::int64_t p = 0; p < tile.pixels; ++p) {
    std::int64_t differing = 0;
    for (std::int64_t word = 0; word < tile.words; ++word)
      differing += std::popcount(tile.rows[p * tile.words + word] ^ tile.block[word]);
    tile.sums[p * tile.sums_stride] = static_cast<std::int32_t>(tile.k - 2 * differing);
  }
}

constexpr BitKernel kernel{
    .isa = "baseline", .block_pixels = 1, .block_channels = 1, .run = example_tile};

}  // namespace

const Implementation& cpu_xnor_example() {
  static const BitImplementation implementation(
      {"cpu_xnor_example", "cpu", "xnor", "XOR and std::popcount, word by word"}, kernel, "");
  return implementation;
}

}  // namespace xnorbench
