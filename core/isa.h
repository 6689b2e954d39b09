// Instruction sets for which this project has vector code of its own (core/isas.def), and the
// choice between them at run time.
//
// Code for one of them is in files of its own that are compiled for it (cmake/isa_sources.cmake).
// It is reached through a table of functions (core/row_loops.h, cpu/simd_kernel.h) after the
// choice. Such files must not include inline functions that other files use too. The linker keeps
// one copy of each, and that copy may be the one with instructions that the processor does not
// have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/machine.h"

namespace xnorbench {

/// Those of the processor that this is compiled for, slowest first.
enum class Isa {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) name,
#include "core/isas.def"
#undef XNORBENCH_ISA
  baseline = 0,  ///< the first: what every such processor has
};

/// The name in core/isas.def: "avx2".
std::string to_string(Isa isa);

/// Those that `machine` runs, slowest first. Never empty.
std::vector<Isa> find_isas(const Machine& machine);

/// The fastest of this machine.
Isa best_isa();

/// How much of the CPU some work may use. An int stands for that many threads.
struct CpuShare {
  int threads;
  Isa isa;
  CpuShare(int thread_count = 1, Isa vectors = best_isa()) : threads(thread_count), isa(vectors) {}
  bool operator==(const CpuShare&) const = default;
};

/// `machine` without the extensions that only faster instruction sets than `isa` use.
Machine restrict_to(Machine machine, Isa isa);

/// The name of `isa` if this machine has a faster one; otherwise empty.
std::string limitation(Isa isa);

/// The instruction sets of this machine, slowest first: "sse2, avx2".
std::string list_isas(std::string_view separator);

/// Throws InputError if this machine has no instruction set of that name.
Isa parse_isa(const std::string& name);

}  // namespace xnorbench
