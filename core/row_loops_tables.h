// The loops as compiled for each instruction set, one table in a file of its own
// (core/row_loops_*.cpp).
#pragma once

#include "core/row_loops.h"

namespace xnorbench {

#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) \
  extern const RowLoops row_loops_##loops;
#include "core/isas.def"
#undef XNORBENCH_ISA

}  // namespace xnorbench
