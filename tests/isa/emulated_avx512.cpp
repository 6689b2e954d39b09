// A machine that has AVX-512 and nothing else beyond the baseline, where the kernels of AVX-512 are
// emulated. In the place of core/machine.cpp, and of core/row_loops.cpp, whose loops for AVX-512
// cannot be emulated.
#include <sstream>

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
    std::istringstream needed(
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) needs " "
#include "core/isas.def"
#undef XNORBENCH_ISA
    );
    Machine emulated;
    for (std::string extension; needed >> extension;)
      if (extension.starts_with("avx512")) emulated.isa.push_back(extension);
    return emulated;
  }();
  return machine;
}

const RowLoops& row_loops(Isa) { return row_loops_baseline; }

}  // namespace xnorbench
