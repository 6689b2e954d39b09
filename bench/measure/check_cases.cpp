#include "bench/measure/check_cases.h"

#include <fmt/format.h>

#include <utility>

#include "bench/measure/clock.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/progress.h"
#include "core/error.h"

namespace xnorbench {
namespace {

/// Takes over the repetitions that an earlier part of the run measured. True when nothing is left
/// to do.
bool restore(SessionState& session, SessionCase& c) {
  int missing = 0;
  for (int repetition = 0; repetition < session.options.repetitions; ++repetition) {
    const CompletedRepetition* completed = session.folder.find(c.record().case_name, repetition);
    if (!completed) {
      ++missing;
      continue;
    }
    if (completed->status == "ok")
      c.add_time(completed->time_median_ns, completed->clock_hz);
    else
      c.add_failure(completed->status, "see records.csv");
    session.any_wrong = session.any_wrong || completed->status == "wrong";
    const bool was_timed = completed->time_median_ns > 0;
    if (!was_timed) return true;
  }
  if (missing == 0) c.record().bound = c.timed->bound();
  c.schedule.repetitions = missing;
  return missing == 0;
}

/// Samples and cost of `repetitions`. The case is prepared.
CaseSchedule estimate(SessionState& session, SessionCase& c, double prepare_ns, int repetitions) {
  TimedCase& timed = *c.timed;
  const Pin pin(c.record().threads);
  Device& device = timed.device();
  if (!session.fastest_clock_hz.contains(&device))
    session.fastest_clock_hz[&device] = warm_up_clock(device);
  const Sample sample = take_sample({}, Cache::hot, device, [&timed] { timed.run(); });
  // The host's time of a call, since it is the user's time that is planned.
  const double call_ns = sample.host_ns;
  const double evict_ns =
      timed.cache == Cache::cold ? time_once([&device] { device.evict_caches(); }) : 0.0;
  CaseSchedule schedule;
  schedule.samples = SamplePlan::for_duration(sample.ns, evict_ns, session.options.min_seconds,
                                              device.shortest_sample_ns());
  schedule.repetitions = repetitions;
  const double sample_ns = evict_ns + call_ns * schedule.samples.calls_per_sample;
  schedule.repetition_seconds =
      1e-9 * (prepare_ns + call_ns + sample_ns * schedule.samples.samples) + 0.01;
  schedule.extra_seconds = 1e-9 * call_ns * timed.profile_passes();
  return schedule;
}

void describe_checked(SessionCase& c, const Verification& verification) {
  Record& record = c.record();
  record.kernel = c.timed->kernel();
  record.output_hash = c.timed->output_hash();
  record.set_memory(verification.peak, verification.resident_growth);
  if (verification.deviation) record.set_deviation(*verification.deviation);
  record.verified = verification.wrong.empty();
}

void check(SessionState& session, SessionCase& c, Progress& progress) {
  const int missing = std::exchange(c.schedule.repetitions, 0);
  if (const Support support = c.timed->support(); !support)
    return add_row_without_time(session, c, to_string(support.status), support.reason);
  Verification verification;
  try {
    verification = c.timed->verify();
  } catch (const InputError& refused) {
    // Too little memory on a GPU, or a scratchpad limit: the other cases go on.
    c.timed->release();
    return add_row_without_time(session, c, "skipped", refused.what());
  }
  describe_checked(c, verification);
  if (c.record().verified) {
    c.record().bound = c.timed->bound();
    if (verification.network_memory) session.folder.add_memory(*verification.network_memory);
    c.schedule = estimate(session, c, verification.prepare_ns, missing);
  } else {
    session.any_wrong = true;
    add_row_without_time(session, c, "wrong", verification.wrong);
    progress.note(fmt::format("{}: {}", c.record().case_name, verification.wrong));
  }
  c.timed->release();
}

}  // namespace

void check_cases(SessionState& session) {
  Progress progress("checking", static_cast<std::int64_t>(session.cases.size()));
  for (SessionCase& c : session.cases) {
    if (is_interrupted()) return;
    if (!restore(session, c)) check(session, c, progress);
    progress.step(c.record().case_name);
  }
}

}  // namespace xnorbench
