#include "bench/measure/schedule.h"

#include <algorithm>

namespace xnorbench {

void fit_into_limit(std::vector<CaseSchedule*> cases, double limit_seconds) {
  if (limit_seconds <= 0) return;
  auto cost = [](const CaseSchedule* c) {
    return c->extra_seconds + c->repetition_seconds * c->repetitions;
  };
  std::stable_sort(cases.begin(), cases.end(), [&](auto* a, auto* b) { return cost(a) < cost(b); });
  double left = limit_seconds;
  for (CaseSchedule* c : cases) {
    const double affordable = (left - c->extra_seconds) / c->repetition_seconds;
    c->repetitions =
        affordable < 1.0 ? 0 : static_cast<int>(std::min<double>(c->repetitions, affordable));
    if (c->repetitions > 0) left -= cost(c);
  }
}

}  // namespace xnorbench
