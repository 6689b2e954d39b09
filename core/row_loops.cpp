#include "core/row_loops.h"

#include "core/row_loops_tables.h"

namespace xnorbench {

const RowLoops& row_loops(Isa isa) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512bw) return row_loops_avx512bw;
  if (isa == Isa::avx2) return row_loops_avx2;
#else
  static_cast<void>(isa);  // one there
#endif
  return row_loops_baseline;
}

}  // namespace xnorbench
