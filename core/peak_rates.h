// What one core does per cycle at most, as measured (cpu/peak_rates.h), and what bounds are made of
// (cpu/bounds.h).
//
// All rates are instructions, or groups of them, per cycle of one thread; empty where there is no
// such instruction.
#pragma once

#include <cstdint>
#include <optional>

#include "core/isa.h"

namespace xnorbench {

struct ScalarPeakRates {
  std::optional<double> integer{};  ///< 64-bit additions
  std::optional<double> popcnt{};   ///< of 64 bits
};

/// Of the widest vectors of an instruction set.
struct VectorPeakRates {
  Isa isa = Isa::baseline;
  std::int64_t vector_bytes = 0;
  std::optional<double>
      multiply_add{};  ///< float: FMA, or a multiplication and an addition where there is none
  std::optional<double> dot_product{};  ///< u8 by s8 into 32 bits: VPDPBUSD, or the three
                                        ///< instructions that do its work
  std::optional<double> byte_shuffle{};
  std::optional<double> byte_add{};
  std::optional<double> logic{};     ///< XOR
  std::optional<double> popcount{};  ///< of 16-bit lanes; NEON: of bytes
  /// The instructions of cpu_xnor_simd's inner loop, in its proportions.
  std::optional<double> simd_mix{};
  /// Those of cpu_xnor_swar, two words to a vector; baseline only, for which plain C++ is compiled.
  std::optional<double> swar_mix{};
};

/// All that a bound may ask for. Libraries take the best instruction set of the machine for
/// themselves, this project's vector code the chosen one (--isa), plain C++ the baseline; but the
/// bound of float implementations is one for all, what the machine could do (docs/method.md).
struct CorePeakRates {
  ScalarPeakRates scalar;
  VectorPeakRates baseline, best, chosen;
};

}  // namespace xnorbench
