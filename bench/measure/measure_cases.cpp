#include "bench/measure/measure_cases.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/measure/benchmark_library.h"
#include "bench/measure/clock.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/peaks.h"
#include "bench/measure/progress.h"
#include "bench/records/statistics.h"

namespace xnorbench {
namespace {

/// The output must still be the verified one, and the clock near the fastest seen.
void judge(SessionState& session, SessionCase& c, SampledRecord& repetition) {
  constexpr double throttled_below = 0.9;
  Record& record = repetition.record;
  const std::string hash = c.timed->output_hash();
  double& fastest = session.fastest_clock_hz[&c.timed->device()];
  fastest = std::max(fastest, *record.clock_hz);
  if (hash != record.output_hash) {
    record.reason =
        fmt::format("output changed between calls: {} after {}", hash, record.output_hash);
    record.status = "wrong";
    record.verified = false;
    record.clear_times();
    repetition.samples.clear();
    session.any_wrong = true;
  } else if (*record.clock_hz < throttled_below * fastest) {
    record.status = "throttled";
    record.reason = fmt::format("clock {:.2f} GHz, fastest so far {:.2f} GHz",
                                *record.clock_hz * 1e-9, fastest * 1e-9);
  }
}

void finish_repetition(SessionState& session, SessionCase& c, SampledRecord& repetition,
                       Progress& progress) {
  Record& record = repetition.record;
  record.set_times(summarise(repetition.samples),
                   static_cast<std::int64_t>(repetition.samples.size()));
  record.calls_per_sample = c.schedule.samples.calls_per_sample;
  judge(session, c, repetition);
  if (record.status == "ok")
    c.add_time(*record.time_median_ns, *record.clock_hz);
  else
    c.add_failure(record.status, record.reason);
  const bool last = --c.schedule.repetitions == 0;
  session.folder.add(repetition, last ? c.timed->profile() : std::vector<SampledRecord>{});
  if (record.status == "wrong")
    progress.note(fmt::format("{}: {}", record.case_name, record.reason));
  progress.step(record.case_name, c.schedule.repetition_seconds);
}

/// Version 1.7 of the library ends the program when a repetition stops early or is skipped: all
/// have to run through.
void pass_through(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(0.0);
}

/// One repetition. Prepares anew, so that chance of placement in memory is part of the spread.
void repeat(SessionState& session, SessionCase& c, benchmark::State& state, Progress& progress) {
  SampledRecord repetition{c.record(), {}};
  Record& record = repetition.record;
  while (session.folder.find(record.case_name, record.repetition)) ++record.repetition;
  if (is_interrupted()) return pass_through(state);

  TimedCase& timed = *c.timed;
  const Pin pin(record.threads);
  record.prepare_time_ns = timed.prepare();
  Device& device = timed.device();
  const double clock_before = device.measure_clock_hz();
  const std::function<void()> call = [&timed] { timed.run(); };
  std::vector<double> host_samples;
  call();  // warm-up
  for (auto _ : state) {
    if (is_interrupted()) continue;
    const Sample sample = take_sample(c.schedule.samples, timed.cache, device, call);
    repetition.samples.push_back(sample.ns);
    host_samples.push_back(sample.host_ns);
    state.SetIterationTime(repetition.samples.back() * 1e-9);
  }
  if (!is_interrupted()) {
    record.clock_hz = (clock_before + device.measure_clock_hz()) / 2;
    if (&device != &host_device()) record.host_time_median_ns = median(host_samples);
    finish_repetition(session, c, repetition, progress);
  }
  timed.release();
}

}  // namespace

void measure_cases(SessionState& session) {
  int repetitions = 0;
  double seconds = 0;
  for (const SessionCase& c : session.cases) {
    repetitions += c.schedule.repetitions;
    if (c.schedule.repetitions > 0)
      seconds += c.schedule.extra_seconds + c.schedule.repetition_seconds * c.schedule.repetitions;
  }
  if (repetitions == 0 || is_interrupted()) return;
  session.folder.set_peaks(to_json(measured_peaks()));
  Progress progress("measuring", repetitions, seconds);
  for (SessionCase& c : session.cases) {
    if (c.schedule.repetitions == 0) continue;
    benchmark::RegisterBenchmark(
        c.record().case_name.c_str(),
        [&](benchmark::State& state) { repeat(session, c, state, progress); })
        ->UseManualTime()
        ->Iterations(c.schedule.samples.samples)
        ->Repetitions(c.schedule.repetitions);
  }
  run_registered_benchmarks();
}

}  // namespace xnorbench
