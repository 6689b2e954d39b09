#include "bench/measure/session.h"

#include <fmt/format.h>

#include <utility>

#include "bench/measure/benchmark_library.h"
#include "bench/measure/check_cases.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/measure_cases.h"
#include "bench/measure/progress.h"
#include "bench/measure/session_case.h"
#include "core/error.h"

namespace xnorbench {
namespace {

/// Fits what is left to measure into the time limit. Cases that lose repetitions say so in their
/// rows.
void schedule_cases(SessionState& session) {
  const double limit_seconds = session.options.time_limit_seconds;
  std::vector<CaseSchedule*> schedules;
  std::vector<int> wanted;
  for (SessionCase& c : session.cases) {
    wanted.push_back(c.schedule.repetitions);
    if (c.schedule.repetitions > 0) schedules.push_back(&c.schedule);
  }
  fit_into_limit(schedules, limit_seconds);
  for (std::size_t i = 0; i < session.cases.size() && !is_interrupted(); ++i) {
    SessionCase& c = session.cases[i];
    const int fitting = c.schedule.repetitions;
    if (fitting == wanted[i]) continue;
    c.record().reason = fmt::format("{} of {} repetitions fit the time limit of {:.0f} s", fitting,
                                    wanted[i], limit_seconds);
    if (fitting == 0 && c.medians_ns.empty())
      add_row_without_time(session, c, "skipped", c.record().reason);
  }
}

SessionResult run_stages(SessionState& session) {
  check_cases(session);
  schedule_cases(session);
  measure_cases(session);
  SessionResult result;
  for (SessionCase& c : session.cases) result.cases.push_back(std::move(c).result());
  result.any_wrong = session.any_wrong;
  result.interrupted = is_interrupted();
  return result;
}

}  // namespace

SessionResult run_session(std::vector<std::unique_ptr<TimedCase>> cases,
                          const SessionOptions& options, RunFolder& folder) {
  std::erase_if(cases, [&](const auto& c) {
    return !passes_benchmark_filter(options.benchmark_flags, c->record.case_name);
  });
  if (cases.empty())
    throw InputError(
        "--benchmark_filter lets no case pass; --benchmark_list_tests prints their names");
  if (wants_benchmark_names(options.benchmark_flags)) {
    for (const auto& c : cases) fmt::print("{}\n", c->record.case_name);
    return {};
  }
  if (folder.path().empty()) print_note("no --out=DIR: no records will be kept");
  const InterruptGuard guard;
  SessionState session{{}, options, folder, {}};
  for (std::unique_ptr<TimedCase>& timed : cases)
    session.cases.push_back({.timed = std::move(timed)});
  return run_stages(session);
}

int finish_folder(RunFolder& folder, int status) {
  if (folder.path().empty()) return status;
  folder.finish(status);
  fmt::print("\nrecords in {}\n", folder.path().string());
  return status;
}

int finish_run(const SessionResult& result, RunFolder& folder) {
  constexpr int interrupted_status = 130;  // as a shell reports Ctrl-C
  if (result.interrupted) {
    print_note(folder.path().empty()
                   ? std::string("interrupted")
                   : "interrupted; finished repetitions are in " + folder.path().string() +
                         "; the same command continues the run");
    return interrupted_status;
  }
  const int status = result.any_wrong ? 1 : 0;
  return result.cases.empty() ? status : finish_folder(folder, status);
}

}  // namespace xnorbench
