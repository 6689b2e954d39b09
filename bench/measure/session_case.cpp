#include "bench/measure/session_case.h"

#include <utility>

namespace xnorbench {

void SessionCase::add_time(double median_ns, double clock_hz) {
  medians_ns.push_back(median_ns);
  clocks_hz.push_back(clock_hz);
}

void SessionCase::add_failure(const std::string& status, const std::string& reason) {
  failed_status = status;
  failed_reason = reason;
}

CaseResult SessionCase::result() && {
  CaseResult result{std::move(timed->record), std::move(medians_ns), std::move(clocks_hz)};
  if (!failed_status.empty()) {
    result.record.status = failed_status;
    result.record.reason = failed_reason;
  }
  return result;
}

void add_row_without_time(SessionState& session, SessionCase& c, const std::string& status,
                          const std::string& reason) {
  c.record().status = status;
  c.record().reason = reason;
  session.folder.add({c.record(), {}});
}

}  // namespace xnorbench
