#include "core/row_loops_body.h"
#include "core/row_loops_tables.h"

namespace xnorbench {

const RowLoops row_loops_baseline = loops;

}  // namespace xnorbench
