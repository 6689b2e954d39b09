// Peak rates: how many instructions one core does per cycle at most. cpu/peak_rates.h measures
// them, and cpu/bounds.h makes the bounds of implementations from them.
//
// All rates are instructions, or groups of instructions, per cycle of one thread. A rate is empty
// if there is no such instruction.
#pragma once

#include <cstdint>
#include <optional>

#include "core/isa.h"

namespace xnorbench {

struct ScalarPeakRates {
  std::optional<double> integer{};  ///< 64-bit additions
  std::optional<double> popcnt{};   ///< of 64 bits
};

/// Rates on the widest vectors of an instruction set.
struct VectorPeakRates {
  Isa isa = Isa::baseline;
  std::int64_t vector_bytes = 0;
  /// float: FMA, or a multiplication and an addition if there is none.
  std::optional<double> multiply_add{};
  /// u8 by s8 into 32 bits: VPDPBUSD, or the three instructions that do its work.
  std::optional<double> dot_product{};
  std::optional<double> byte_shuffle{};
  std::optional<double> byte_add{};
  std::optional<double> logic{};     ///< XOR
  std::optional<double> popcount{};  ///< of 16-bit lanes; NEON: of bytes
  /// The instructions of cpu_xnor_simd's inner loop, in its proportions.
  std::optional<double> simd_mix{};
  /// Those of cpu_xnor_swar, two words a vector. Baseline only, since plain C++ is compiled for it.
  std::optional<double> swar_mix{};
};

/// All that a bound may ask for. Libraries use the best instruction set of the machine, this
/// project's vector code the chosen one (--isa), and plain C++ the baseline. All float
/// implementations have the same bound, on the best instruction set (docs/method.md).
struct CorePeakRates {
  ScalarPeakRates scalar;
  VectorPeakRates baseline, best, chosen;
};

}  // namespace xnorbench
