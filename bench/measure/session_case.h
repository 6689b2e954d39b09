// What a session knows of its cases while it runs. Each fact has one owner:
// * TimedCase::record is what all rows of the case begin with. A row is a copy of it, with the
//   fields of that repetition.
// * SessionCase has the times of repetitions that ended well, and what became of the others.
// CaseResult is made of both when the session is over.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/schedule.h"
#include "bench/measure/session.h"

namespace xnorbench {

struct SessionCase {
  std::unique_ptr<TimedCase> timed;
  CaseSchedule schedule{};
  std::vector<double> medians_ns{}, clocks_hz{};  ///< as in CaseResult
  /// Status and reason of the last repetition that was not ok; empty without one.
  std::string failed_status{}, failed_reason{};

  Record& record() { return timed->record; }
  void add_time(double median_ns, double clock_hz);
  void add_failure(const std::string& status, const std::string& reason);
  /// The session is over: takes the record along.
  CaseResult result() &&;
};

struct SessionState {
  std::vector<SessionCase> cases;
  const SessionOptions& options;
  RunFolder& folder;
  std::map<const Device*, double> fastest_clock_hz;  ///< seen so far in this session
  bool any_wrong = false;
};

/// A case without a time: its only row.
void add_row_without_time(SessionState& session, SessionCase& c, const std::string& status,
                          const std::string& reason);

}  // namespace xnorbench
