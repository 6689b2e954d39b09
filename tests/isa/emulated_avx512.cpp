// A machine that has AVX-512 and nothing else beyond the baseline, where the kernels of AVX-512 are
// emulated. In the place of core/machine.cpp, and of core/row_loops.cpp, whose loops for AVX-512
// cannot be emulated.
#include "core/machine.h"
#include "core/row_loops_tables.h"

namespace xnorbench {

bool Machine::has(const std::string& extension) const {
  for (const std::string& known : isa)
    if (known == extension) return true;
  return false;
}

const Machine& this_machine() {
  static const Machine machine = [] {
    Machine emulated;
    emulated.isa = {"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512bitalg"};
    return emulated;
  }();
  return machine;
}

const RowLoops& row_loops(Isa) { return row_loops_baseline; }

}  // namespace xnorbench
