// The short table that a measuring command ends with.
#pragma once

#include "bench/measure/session.h"

namespace xnorbench {

/// To stdout: cases with equal problem, timed region, batch, threads and cache stand together, and
/// only those are put in a ratio.
void print_summary(const SessionResult& result);

}  // namespace xnorbench
