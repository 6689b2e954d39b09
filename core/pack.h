// Packs signs into 64-bit words, 1 = -1 (OperandForm::bits). Comparison masks come from vectors of
// this build's baseline instruction set, so this file is safe to include anywhere that is compiled
// without architecture flags.
#pragma once

#include <array>
#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace xnorbench {

using Int32Batch = xsimd::batch<std::int32_t>;
using FloatBatch = xsimd::batch<float>;

/// {1, 2, 4, ...}: the bit of each lane.
inline Int32Batch lane_bits() {
  std::array<std::int32_t, Int32Batch::size> bits{};
  for (std::size_t lane = 0; lane < bits.size(); ++lane) bits[lane] = std::int32_t{1} << lane;
  return Int32Batch::load_unaligned(bits.data());
}

/// `masks(first)` gives the comparison of channels first .. first + lanes - 1 as a vector of all-ones
/// (negative) and zeros. Returns the word of 32 channels.
template <typename Masks>
std::uint32_t pack_32(std::int64_t first, Masks&& masks) {
  constexpr std::int64_t lanes = Int32Batch::size;
  const Int32Batch bits = lane_bits();
  Int32Batch word(0);
  for (std::int64_t bit = 0; bit < 32; bit += lanes)
    word = word | (masks(first + bit) & (bits << static_cast<std::int32_t>(bit)));
  std::array<std::int32_t, Int32Batch::size> parts;
  word.store_unaligned(parts.data());
  std::uint32_t result = 0;
  for (std::int32_t part : parts) result |= static_cast<std::uint32_t>(part);
  return result;
}

/// Packs `channels` signs into (channels + 63) / 64 words; unused bits are 0. `negative(c)` is the
/// same comparison for one channel, for the tail.
template <typename Masks, typename Negative>
void pack_row(std::int64_t channels, std::uint64_t* words, Masks&& masks, Negative&& negative) {
  std::int64_t first = 0;
  for (; first + 64 <= channels; first += 64)
    *words++ = pack_32(first, masks) | static_cast<std::uint64_t>(pack_32(first + 32, masks)) << 32;
  if (first == channels) return;
  std::uint64_t word = 0;
  for (std::int64_t c = first; c < channels; ++c) word |= static_cast<std::uint64_t>(negative(c)) << (c - first);
  *words = word;
}

inline Int32Batch to_mask(xsimd::batch_bool<std::int32_t> condition) {
  return xsimd::select(condition, Int32Batch(-1), Int32Batch(0));
}

inline Int32Batch to_mask(xsimd::batch_bool<float> condition) {
  const FloatBatch ones = xsimd::bitwise_cast<FloatBatch>(Int32Batch(-1));
  return xsimd::bitwise_cast<Int32Batch>(xsimd::select(condition, ones, FloatBatch(0.0F)));
}

}  // namespace xnorbench
