#include "bench/measure/session.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "bench/measure/benchmark_library.h"
#include "bench/measure/clock.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/peaks.h"
#include "bench/measure/progress.h"
#include "bench/measure/schedule.h"
#include "bench/records/statistics.h"
#include "core/error.h"
#include "core/machine.h"

namespace xnorbench {
namespace {

class Session {
 public:
  Session(std::vector<std::unique_ptr<TimedCase>> cases, const SessionOptions& options,
          RunFolder& folder)
      : cases_(std::move(cases)), options_(options), folder_(folder), schedules_(cases_.size()) {
    for (const auto& c : cases_) result_.cases.push_back({c->record, {}, {}});
  }

  SessionResult run() {
    verify_all();
    schedule_all();
    measure_all();
    result_.interrupted = is_interrupted();
    return std::move(result_);
  }

 private:
  // Check before timing: what is wrong or unsupported never gets to measure_all().
  void verify_all() {
    Progress progress("checking", static_cast<std::int64_t>(cases_.size()), 0);
    for (std::size_t i = 0; i < cases_.size() && !is_interrupted(); ++i) {
      if (!restore(i)) verify(i);
      progress.step(cases_[i]->record.case_name, "", 0);
    }
  }

  /// Takes over what an earlier part of the run measured. True when nothing is left to do.
  bool restore(std::size_t index) {
    CaseResult& result = result_.cases[index];
    int missing = 0;
    for (int repetition = 0; repetition < options_.repetitions; ++repetition) {
      const CompletedRepetition* completed = folder_.find(result.record.case_name, repetition);
      if (!completed) {
        ++missing;
        continue;
      }
      if (completed->status == "ok") {
        result.medians_ns.push_back(completed->time_median_ns);
        result.clocks_hz.push_back(completed->clock_hz);
      } else {
        result.record.status = completed->status;
        result.record.reason = "see records.csv";
      }
      result_.any_wrong = result_.any_wrong || completed->status == "wrong";
      const bool was_timed = completed->time_median_ns > 0;
      if (!was_timed) return true;
    }
    if (missing == 0) result.record.bound = cases_[index]->bound();
    schedules_[index].repetitions = missing;
    return missing == 0;
  }

  void verify(std::size_t index) {
    TimedCase& c = *cases_[index];
    CaseResult& result = result_.cases[index];
    const int missing = std::exchange(schedules_[index].repetitions, 0);
    if (const Support support = c.support(); !support) {
      result.record.set_support(support);
      return folder_.add({result.record, {}});
    }
    Verification verification;
    try {
      verification = c.verify();
    } catch (const InputError& refused) {  // memory that a GPU has not, a scratchpad limit: not the
                                           // end of the others
      c.release();
      result.record.status = "skipped";
      result.record.reason = refused.what();
      return folder_.add({result.record, {}});
    }
    c.record.kernel = c.kernel();
    c.record.output_hash = c.output_hash();
    c.record.set_memory(verification.peak, verification.resident_growth);
    if (verification.deviation) c.record.set_deviation(*verification.deviation);
    c.record.verified = verification.wrong.empty();
    if (c.record.verified) c.record.bound = c.bound();
    result.record = c.record;
    if (c.record.verified) {
      if (verification.network_memory) folder_.add_memory(*verification.network_memory);
      schedules_[index] = estimate(c, verification.prepare_ns, missing);
    } else {
      result_.any_wrong = true;
      result.record.status = "wrong";
      result.record.reason = verification.wrong;
      folder_.add({result.record, {}});
    }
    c.release();
  }

  /// `c` is prepared.
  CaseSchedule estimate(TimedCase& c, double prepare_ns, int repetitions) {
    const Pin pin(c.record.threads);
    Device& device = c.device();
    if (!fastest_clock_hz_.contains(&device)) fastest_clock_hz_[&device] = warm_up_clock(device);
    const Sample sample = take_sample({}, Cache::hot, device, [&c] { c.run(); });
    // With what surrounds a call: it is the user's time that is planned.
    const double call_ns = sample.host_ns;
    const double evict_ns =
        c.cache == Cache::cold ? time_once([&device] { device.evict_caches(); }) : 0.0;
    CaseSchedule schedule;
    schedule.samples = SamplePlan::for_duration(sample.ns, evict_ns, options_.min_seconds,
                                                device.shortest_sample_ns());
    schedule.repetitions = repetitions;
    const double sample_ns = evict_ns + call_ns * schedule.samples.calls_per_sample;
    schedule.repetition_seconds =
        1e-9 * (prepare_ns + call_ns + sample_ns * schedule.samples.samples) + 0.01;
    schedule.extra_seconds = 1e-9 * call_ns * c.profile_passes();
    return schedule;
  }

  void schedule_all() {
    std::vector<CaseSchedule*> schedules;
    std::vector<int> wanted;
    for (CaseSchedule& schedule : schedules_) {
      wanted.push_back(schedule.repetitions);
      if (schedule.repetitions > 0) schedules.push_back(&schedule);
    }
    fit_into_limit(schedules, options_.time_limit_seconds);
    for (std::size_t i = 0; i < cases_.size() && !is_interrupted(); ++i) {
      const int fitting = schedules_[i].repetitions;
      if (fitting == wanted[i]) continue;
      Record& record = result_.cases[i].record;
      record.reason = fmt::format("{} of {} repetitions fit the time limit of {:.0f} s", fitting,
                                  wanted[i], options_.time_limit_seconds);
      cases_[i]->record.reason = record.reason;
      if (fitting > 0 || !result_.cases[i].medians_ns.empty()) continue;
      record.status = "skipped";
      folder_.add({record, {}});
    }
  }

  void measure_all() {
    int repetitions = 0;
    double seconds = 0;
    for (std::size_t i = 0; i < cases_.size() && !is_interrupted(); ++i) {
      const CaseSchedule& schedule = schedules_[i];
      if (schedule.repetitions == 0) continue;
      repetitions += schedule.repetitions;
      seconds += schedule.extra_seconds + schedule.repetition_seconds * schedule.repetitions;
      benchmark::RegisterBenchmark(cases_[i]->record.case_name.c_str(),
                                   [this, i](benchmark::State& state) { repeat(i, state); })
          ->UseManualTime()
          ->Iterations(schedule.samples.samples)
          ->Repetitions(schedule.repetitions);
    }
    if (repetitions == 0) return;
    folder_.set_peaks(to_json(measured_peaks()));
    progress_.emplace("measuring", repetitions, seconds);
    run_registered_benchmarks();
    progress_.reset();
  }

  /// One repetition: prepares anew, so that chance of placement in memory is part of the spread.
  void repeat(std::size_t index, benchmark::State& state) {
    TimedCase& c = *cases_[index];
    SampledRecord repetition{c.record, {}};
    Record& record = repetition.record;
    while (folder_.find(record.case_name, record.repetition)) ++record.repetition;
    if (is_interrupted()) return pass_through(state);

    const Pin pin(record.threads);
    record.prepare_time_ns = c.prepare();
    Device& device = c.device();
    const double clock_before = device.measure_clock_hz();
    const std::function<void()> call = [&c] { c.run(); };
    std::vector<double> host_samples;
    call();  // warm-up
    for (auto _ : state) {
      if (is_interrupted()) continue;
      const Sample sample = take_sample(schedules_[index].samples, c.cache, device, call);
      repetition.samples.push_back(sample.ns);
      host_samples.push_back(sample.host_ns);
      state.SetIterationTime(repetition.samples.back() * 1e-9);
    }
    if (!is_interrupted()) {
      record.clock_hz = (clock_before + device.measure_clock_hz()) / 2;
      if (&device != &host_device()) record.host_time_median_ns = median(host_samples);
      finish_repetition(index, repetition);
    }
    c.release();
  }

  /// Version 1.7 ends the program when a repetition stops early or is skipped: all have to run
  /// through.
  static void pass_through(benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(0.0);
  }

  void finish_repetition(std::size_t index, SampledRecord& repetition) {
    Record& record = repetition.record;
    record.set_times(summarise(repetition.samples),
                     static_cast<std::int64_t>(repetition.samples.size()));
    record.calls_per_sample = schedules_[index].samples.calls_per_sample;
    judge(index, repetition);
    CaseResult& result = result_.cases[index];
    if (record.status == "ok") {
      result.medians_ns.push_back(*record.time_median_ns);
      result.clocks_hz.push_back(*record.clock_hz);
    } else {
      result.record.status = record.status;
      result.record.reason = record.reason;
    }
    const bool last = --schedules_[index].repetitions == 0;
    folder_.add(repetition, last ? cases_[index]->profile() : std::vector<SampledRecord>{});
    const std::string plain =
        last && !result.medians_ns.empty()
            ? fmt::format("{}: {:.3f} ms", record.case_name, median(result.medians_ns) * 1e-6)
            : std::string();
    progress_->step(record.case_name, plain, schedules_[index].repetition_seconds);
  }

  /// The output must still be the verified one, and the clock near the fastest seen.
  void judge(std::size_t index, SampledRecord& repetition) {
    constexpr double throttled_below = 0.9;
    Record& record = repetition.record;
    const std::string hash = cases_[index]->output_hash();
    double& fastest = fastest_clock_hz_[&cases_[index]->device()];
    fastest = std::max(fastest, *record.clock_hz);
    if (hash != record.output_hash) {
      record.reason =
          fmt::format("output changed between calls: {} after {}", hash, record.output_hash);
      record.status = "wrong";
      record.verified = false;
      record.clear_times();
      repetition.samples.clear();
      result_.any_wrong = true;
    } else if (*record.clock_hz < throttled_below * fastest) {
      record.status = "throttled";
      record.reason = fmt::format("clock {:.2f} GHz, fastest so far {:.2f} GHz",
                                  *record.clock_hz * 1e-9, fastest * 1e-9);
    }
  }

  std::vector<std::unique_ptr<TimedCase>> cases_;
  SessionOptions options_;
  RunFolder& folder_;
  std::vector<CaseSchedule> schedules_;
  std::map<const Device*, double> fastest_clock_hz_;
  std::optional<Progress> progress_;
  SessionResult result_;
};

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
  return Session(std::move(cases), options, folder).run();
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
