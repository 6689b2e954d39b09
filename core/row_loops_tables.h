// One table for each instruction set, in a file of its own.
#pragma once

#include "core/row_loops.h"

namespace xnorbench {

extern const RowLoops row_loops_baseline, row_loops_avx2, row_loops_avx512bw;

}  // namespace xnorbench
