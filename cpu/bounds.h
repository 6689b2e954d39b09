// The most MACs that one thread can do per cycle, for each kind of implementation, from measured
// peak rates (core/peak_rates.h). Each implementation names its own bound in
// Implementation::bound().
//
// A bound counts only the instructions of the inner loop that compute. Loads, addresses and the
// epilogue are left out. So no kernel reaches its bound, and its share says how near it comes. A
// bound is empty if one of its rates is.
//
//   float      lanes of 32 bits * multiply-adds per cycle
//   u8 by s8   MACs of one dot product (4 for each 32 bits) * dot products per cycle
//   POPCNT     64 for one XOR, one POPCNT and one addition: 64 * min(POPCNT, integer / 3)
//   SWAR       64 for 12 operations on a word: XOR; 3, 4 and 3 for the counts of 2, 4 and 8 bits;
//              the addition to the byte counters (cpu/cpu_xnor_swar.cpp). On general registers or,
//              as compilers do, on baseline vectors:
//              max(64 * integer, bits of a vector * swar_mix) / 12
//   bnn.torch  32 for 17 operations on a word: XOR, 15 for the count by masks, addition
//              (reference/cpu_xnor_bnntorch.cpp). Likewise:
//              max(32 * integer, bits of a vector * swar_mix) / 17
//   SIMD       SimdKernel::macs_per_operation * simd_mix, the rate of the kernel's own instructions
//              in its own proportions
#pragma once

#include <optional>

#include "core/peak_rates.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {

std::optional<double> f32_bound(const CorePeakRates& core);
std::optional<double> dot_product_bound(const CorePeakRates& core);
std::optional<double> popcnt_bound(const CorePeakRates& core);
std::optional<double> swar_bound(const CorePeakRates& core);
std::optional<double> masked_popcount_bound(const CorePeakRates& core);
/// `kernel`: the one of the instruction set core.chosen.
std::optional<double> simd_bound(const SimdKernel& kernel, const CorePeakRates& core);

}  // namespace xnorbench
