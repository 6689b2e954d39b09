// How a layer is cut for a vector kernel (cpu/simd_kernel.h), and its weights packed in that order.
//
//   K                the units of all taps, tap after tap
//   stretch          units that lie side by side in the expanded activations
//   part             stretches whose weights fit the L1 cache, and whose counts fit 16 bits
//   output channels  blocks of up to SimdKernel::vectors vectors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {

struct SimdBlock {
  std::int64_t channel;  ///< its first, counted within the group
  std::int64_t vectors;
  std::int64_t offset;  ///< of its weights, bytes from the group's first
};

/// Stretches begin .. end - 1.
struct SimdPart {
  std::size_t begin, end;
  std::int64_t first_unit;  ///< of K
};

inline std::int64_t divide_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }
inline std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

/// Units of one tap and group.
std::int64_t units_of_tap(const SimdKernel& kernel, const ConvShape& shape);

/// Bytes of a group's packed weights.
std::int64_t group_weight_bytes(const SimdKernel& kernel, const ConvShape& shape);

/// The stretches of one window. `row_bytes`: from row to row of the expanded activations.
std::vector<SimdStretch> cut_into_stretches(const SimdKernel& kernel, const ConvShape& shape,
                                            std::int64_t row_bytes);

/// The blocks of one group.
std::vector<SimdBlock> cut_into_blocks(const SimdKernel& kernel, const ConvShape& shape);

/// The parts of K for a block of `vectors` vectors. They begin and end with whole stretches.
std::vector<SimdPart> cut_into_parts(const SimdKernel& kernel,
                                     const std::vector<SimdStretch>& stretches,
                                     std::int64_t vectors);

/// Packs the signs of `weights` (O, I/groups, KH, KW) in the order group, block, unit, channel of
/// the block. `packed` holds group_weight_bytes() zeros for each group.
void pack_weights(const SimdKernel& kernel, const ConvProblem& problem,
                  const std::vector<SimdBlock>& blocks, std::span<const float> weights,
                  std::byte* packed);

}  // namespace xnorbench
