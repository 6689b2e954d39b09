// The first stage of a session: checks each case before it is timed, and estimates its cost.
#pragma once

#include "bench/measure/session_case.h"

namespace xnorbench {

/// Leaves a schedule only to cases that can run, that are right, and that an earlier part of the
/// run has not finished. The others get their row.
void check_cases(SessionState& session);

}  // namespace xnorbench
