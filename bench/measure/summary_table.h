// The short table that a measuring command ends with.
#pragma once

#include "bench/measure/session.h"

namespace xnorbench {

/// Prints to stdout. Cases with equal problem, timed region, batch, threads and cache form a group,
/// and ratios are made within a group.
void print_summary(const SessionResult& result);

}  // namespace xnorbench
