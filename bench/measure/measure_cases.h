// The last stage of a session: Google Benchmark drives the repetitions, and a row is written as
// each of them ends.
#pragma once

#include "bench/measure/session_case.h"

namespace xnorbench {

/// Measures every case as often as its schedule says.
void measure_cases(SessionState& session);

}  // namespace xnorbench
