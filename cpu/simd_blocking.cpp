#include "cpu/simd_blocking.h"

#include <algorithm>

#include "core/sign.h"

namespace xnorbench {
namespace {

// The most that 16 unsigned bits count to.
constexpr std::int64_t largest_count = 65535;

/// The signs of a unit's input channels, the first in bit 0. `weights`: those of one output
/// channel.
std::uint32_t unit_bits(const SimdKernel& kernel, const ConvProblem& problem, const float* weights,
                        std::int64_t tap, std::int64_t unit) {
  const ConvShape& s = problem.shape;
  const std::int64_t first = unit * kernel.unit_channels;
  const std::int64_t end = std::min(first + kernel.unit_channels, s.group_in_channels());
  std::uint32_t bits = 0;
  for (std::int64_t c = first; c < end; ++c) {
    const bool negative = is_negative(weights[c * s.taps() + tap], problem.zero_rule);
    bits |= static_cast<std::uint32_t>(negative) << (c - first);
  }
  return bits;
}

}  // namespace

std::int64_t units_of_tap(const SimdKernel& kernel, const ConvShape& shape) {
  return divide_up(shape.group_in_channels(), kernel.unit_channels);
}

std::int64_t group_weight_bytes(const SimdKernel& kernel, const ConvShape& shape) {
  return round_up(shape.group_out_channels(), kernel.lanes) * shape.taps() *
         units_of_tap(kernel, shape) * kernel.weight_bytes;
}

std::vector<SimdStretch> cut_into_stretches(const SimdKernel& kernel, const ConvShape& shape,
                                            std::int64_t row_bytes) {
  const std::int64_t units = units_of_tap(kernel, shape);
  // Without dilation the taps of a kernel row lie side by side.
  const bool whole_rows = shape.dilation_width == 1;
  const std::int64_t run = units * (whole_rows ? shape.kernel_width : 1);
  // No longer than the kernel allows, and as even as can be.
  const std::int64_t pieces = divide_up(run, kernel.stretch_units);
  const std::int64_t piece = round_up(divide_up(run, pieces), kernel.stretch_multiple);
  std::vector<SimdStretch> stretches;
  for (std::int64_t ky = 0; ky < shape.kernel_height; ++ky)
    for (std::int64_t kx = 0; kx < (whole_rows ? 1 : shape.kernel_width); ++kx)
      for (std::int64_t unit = 0; unit < run; unit += piece)
        stretches.push_back({ky * shape.dilation_height * row_bytes +
                                 (kx * shape.dilation_width * units + unit) * kernel.unit_bytes,
                             std::min(piece, run - unit)});
  return stretches;
}

std::vector<SimdBlock> cut_into_blocks(const SimdKernel& kernel, const ConvShape& shape) {
  const std::int64_t vector_bytes =
      shape.taps() * units_of_tap(kernel, shape) * kernel.lanes * kernel.weight_bytes;
  const std::int64_t vectors = divide_up(shape.group_out_channels(), kernel.lanes);
  std::vector<SimdBlock> blocks;
  for (std::int64_t first = 0; first < vectors; first += kernel.vectors)
    blocks.push_back(
        {first * kernel.lanes, std::min(kernel.vectors, vectors - first), first * vector_bytes});
  return blocks;
}

std::vector<SimdPart> cut_into_parts(const SimdKernel& kernel,
                                     const std::vector<SimdStretch>& stretches,
                                     std::int64_t vectors) {
  const std::int64_t unit_bytes = vectors * kernel.lanes * kernel.weight_bytes;
  const std::int64_t most_units =
      std::min(kernel.block_bytes / unit_bytes, largest_count / kernel.unit_channels);
  std::vector<SimdPart> parts;
  std::int64_t unit = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (parts.empty() || unit + stretches[i].units - parts.back().first_unit > most_units)
      parts.push_back({i, i, unit});
    parts.back().end = i + 1;
    unit += stretches[i].units;
  }
  return parts;
}

void pack_weights(const SimdKernel& kernel, const ConvProblem& problem,
                  const std::vector<SimdBlock>& blocks, std::span<const float> weights,
                  std::byte* packed) {
  const ConvShape& s = problem.shape;
  const std::int64_t units = units_of_tap(kernel, s), group_bytes = group_weight_bytes(kernel, s);
  for (std::int64_t group = 0; group < s.groups; ++group)
    for (const SimdBlock& block : blocks) {
      const std::int64_t channels =
          std::min(block.vectors * kernel.lanes, s.group_out_channels() - block.channel);
      for (std::int64_t c = 0; c < channels; ++c) {
        const std::int64_t channel = group * s.group_out_channels() + block.channel + c;
        const float* const of_channel = weights.data() + channel * s.k();
        for (std::int64_t tap = 0; tap < s.taps(); ++tap)
          for (std::int64_t unit = 0; unit < units; ++unit)
            kernel.pack(unit_bits(kernel, problem, of_channel, tap, unit), tap * units + unit, c,
                        block.vectors, packed + group * group_bytes + block.offset);
      }
    }
}

}  // namespace xnorbench
