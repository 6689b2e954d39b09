// Instruction sets for which this project has vector code of its own, and the choice between them
// at run time.
//
// Code for one of them is in a file of its own that is compiled for it (CMakeLists.txt), and is
// reached through a table of functions (core/row_loops.h, cpu/simd_kernel.h) after the choice. What
// such files include must not define functions that other files use too: the linker would keep one
// copy, for whichever instruction set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/machine.h"

namespace xnorbench {

/// Slowest first.
enum class Isa {
  baseline,  ///< what every machine of this architecture has: "sse2" or "neon"
  avx2,
  avx512bw,      ///< F, CD, DQ and BW
  avx512bitalg,  ///< avx512bw and VPOPCNTW, which comes with VPOPCNTDQ (Ice Lake, Zen 4)
};

std::string to_string(Isa isa);

/// Those that `machine` runs, slowest first.
std::vector<Isa> find_isas(const Machine& machine);

/// The last of them on this machine.
Isa best_isa();

/// What of the CPU some work may use. An int stands for so many threads.
struct CpuShare {
  int threads;
  Isa isa;
  CpuShare(int thread_count = 1, Isa vectors = best_isa()) : threads(thread_count), isa(vectors) {}
  bool operator==(const CpuShare&) const = default;
};

/// `machine` as if it had nothing beyond `isa`.
Machine restrict_to(Machine machine, Isa isa);

/// Its name where it is below this machine's best; otherwise empty.
std::string limitation(Isa isa);

/// Those of this machine, slowest first: "sse2, avx2".
std::string list_isas(std::string_view separator);

/// Throws InputError for a name that is none, or none of this machine.
Isa parse_isa(const std::string& name);

}  // namespace xnorbench
