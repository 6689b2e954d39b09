// Measures cases in three stages: checks each (check_cases.h), fits them into the time limit, and
// repeats them (measure_cases.h). Rows are written as they are known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/timed_case.h"
#include "bench/records/run_folder.h"

namespace xnorbench {

struct SessionOptions {
  int repetitions = 9;
  double min_seconds = 0.1;                  ///< of samples per repetition
  double time_limit_seconds = 0;             ///< of measuring; 0: none
  std::vector<std::string> benchmark_flags;  ///< --benchmark_..., for the library
};

/// A case after the session, for tables and claims.
struct CaseResult {
  /// What all rows of the case share, with the status and reason of the last one that was not ok.
  Record record;
  std::vector<double> medians_ns;  ///< one per good repetition, earlier parts of the run included
  std::vector<double> clocks_hz;
};

struct SessionResult {
  std::vector<CaseResult> cases;
  bool any_wrong = false;
  bool interrupted = false;
};

/// Runs all cases. Ctrl-C ends it after the current sample; finished repetitions are kept.
SessionResult run_session(std::vector<std::unique_ptr<TimedCase>> cases,
                          const SessionOptions& options, RunFolder& folder);

/// Marks the run in the folder, if there is one, as finished, and prints where it is. Returns
/// `status`.
int finish_folder(RunFolder& folder, int status);

/// 0, 1 after a wrong result, 130 after Ctrl-C. Also calls finish_folder(), except after Ctrl-C.
int finish_run(const SessionResult& result, RunFolder& folder);

}  // namespace xnorbench
