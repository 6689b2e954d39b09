#include "core/row_loops.h"

#include "core/row_loops_tables.h"

namespace xnorbench {

const RowLoops& row_loops(Isa isa) {
  static constexpr const RowLoops* tables[] = {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) &row_loops_##loops,
#include "core/isas.def"
#undef XNORBENCH_ISA
  };
  return *tables[static_cast<std::size_t>(isa)];
}

}  // namespace xnorbench
