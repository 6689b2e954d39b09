// Which cases are measured, how often and for how long, within the time limit.
#pragma once

#include <vector>

#include "bench/measure/sampler.h"

namespace xnorbench {

/// What one case will cost.
struct CaseSchedule {
  SamplePlan samples;
  int repetitions = 0;            ///< still to measure; 0: none
  double repetition_seconds = 0;  ///< expected
  double extra_seconds = 0;       ///< expected for the profile, once
};

/// Fits the cases into `limit_seconds` (0: no limit). The cheapest come first, so that a slow
/// baseline does not take the time of the cases that are compared with it. A case that does not fit
/// as a whole gets fewer repetitions, or none.
void fit_into_limit(std::vector<CaseSchedule*> cases, double limit_seconds);

}  // namespace xnorbench
