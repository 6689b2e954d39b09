#include "bench/session.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <regex>

#include "bench/clock.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "core/error.h"
#include "core/machine.h"

namespace xnorbench {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Ctrl-C (or a polite kill) ends the run at the next sample.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  }
  ~InterruptGuard() {
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }
};

/// Google Benchmark's own tables would repeat ours.
class SilentReporter final : public benchmark::BenchmarkReporter {
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

class Session {
 public:
  Session(std::vector<std::unique_ptr<TimedCase>> cases, const SessionOptions& options, RunFolder& folder)
      : cases_(std::move(cases)), options_(options), folder_(folder), evictor_(this_machine().l3_bytes) {
    result_.cases.resize(cases_.size());
    plans_.resize(cases_.size());
    repetition_.resize(cases_.size(), 0);
    fastest_clock_hz_ = measure_clock_hz();
  }

  SessionResult run() {
    verify_all();
    measure_all();
    result_.interrupted = interrupted != 0;
    return std::move(result_);
  }

 private:
  struct Plan {
    bool measured = false;
    SamplePlan samples;
    double repetition_seconds = 0;  ///< expected
  };

  // Check before timing: what is wrong, unsupported or too long never gets to measure_all().
  void verify_all() {
    Progress progress("checking", static_cast<int>(cases_.size()), 0);
    for (std::size_t i = 0; i < cases_.size() && !interrupted; ++i) {
      verify(i);
      progress.step(cases_[i]->record.case_name, "", 0);
    }
  }

  void verify(std::size_t index) {
    TimedCase& c = *cases_[index];
    CaseResult& result = result_.cases[index];
    result.record = c.record;
    const Support support = c.support();
    if (!support) {
      result.record.set_support(support);
      return add_untimed(result.record);
    }
    if (folder_.has(c.record.case_name, options_.repetitions - 1)) {
      result.record.reason = "measured before the interruption";
      return;
    }
    const Pin pin(c.record.threads);
    const Verification verification = c.verify();
    c.record.kernel = c.kernel();
    c.record.output_hash = c.output_hash();
    c.record.set_memory(verification.peak, verification.resident_growth);
    c.record.verified = verification.wrong.empty();
    result.record = c.record;
    if (!verification.wrong.empty()) {
      c.release();
      result_.any_wrong = true;
      result.record.status = "wrong";
      result.record.reason = verification.wrong;
      return add_untimed(result.record);
    }
    if (verification.memory_row) folder_.add_memory(*verification.memory_row);
    plan(index);
    c.release();
  }

  void plan(std::size_t index) {
    TimedCase& c = *cases_[index];
    const double call_ns = time_once([&c] { c.run(); });
    Plan plan;
    plan.samples = SamplePlan::for_duration(call_ns, options_.min_seconds, c.cache);
    const int calls = 1 + plan.samples.samples * plan.samples.calls_per_sample;
    plan.repetition_seconds = 0.01 + call_ns * 1e-9 * calls;
    planned_seconds_ += plan.repetition_seconds * options_.repetitions;
    if (options_.time_limit_seconds > 0 && planned_seconds_ > options_.time_limit_seconds) {
      planned_seconds_ -= plan.repetition_seconds * options_.repetitions;
      Record& record = result_.cases[index].record;
      record.status = "skipped";
      record.reason = fmt::format("{:.0f} s of measuring did not fit the time limit of {:.0f} s",
                                  plan.repetition_seconds * options_.repetitions, options_.time_limit_seconds);
      return add_untimed(record);
    }
    plan.measured = true;
    plans_[index] = plan;
  }

  void add_untimed(const Record& record) {
    if (!folder_.has(record.case_name, 0)) folder_.add(record, {});
  }

  void measure_all() {
    int repetitions = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!plans_[i].measured) continue;
      repetitions += options_.repetitions;
      benchmark::RegisterBenchmark(cases_[i]->record.case_name.c_str(),
                                   [this, i](benchmark::State& state) { repeat(i, state); })
          ->UseManualTime()
          ->Iterations(plans_[i].samples.samples)
          ->Repetitions(options_.repetitions);
    }
    if (repetitions == 0 || interrupted) return;
    Progress progress("measuring", repetitions, planned_seconds_);
    progress_ = &progress;
    initialise_library();
    SilentReporter reporter;
    // Our own names were filtered before; the library's have suffixes.
    benchmark::RunSpecifiedBenchmarks(&reporter, ".");
    benchmark::ClearRegisteredBenchmarks();
  }

  void initialise_library() {
    std::vector<std::string> words{"xnorbench"};
    words.insert(words.end(), options_.benchmark_flags.begin(), options_.benchmark_flags.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (count > 1)
      throw InputError(fmt::format("'{}' is not a flag of Google Benchmark", arguments[1]));
  }

  /// One repetition: prepares anew, so that chance of placement in memory is part of the spread.
  void repeat(std::size_t index, benchmark::State& state) {
    TimedCase& c = *cases_[index];
    const int repetition = repetition_[index]++;
    if (interrupted || folder_.has(c.record.case_name, repetition)) return state.SkipWithError("not run");

    const Pin pin(c.record.threads);
    Record record = c.record;
    record.repetition = repetition;
    record.prepare_time_ns = time_once([&c] { c.prepare(); });
    const double clock_before = measure_clock_hz();
    const std::function<void()> call = [&c] { c.run(); };
    call();  // warm-up
    std::vector<double> samples;
    for (auto _ : state) {
      if (interrupted) break;
      samples.push_back(take_sample(plans_[index].samples, c.cache, evictor_, call));
      state.SetIterationTime(samples.back() * 1e-9);
    }
    if (!interrupted) {
      record.clock_hz = (clock_before + measure_clock_hz()) / 2;
      finish_repetition(index, record, samples);
    }
    c.release();
    if (interrupted) state.SkipWithError("interrupted");
  }

  void finish_repetition(std::size_t index, Record& record, const std::vector<double>& samples) {
    const Summary summary = summarise(samples);
    record.set_times(summary, static_cast<std::int64_t>(samples.size()));
    record.calls_per_sample = plans_[index].samples.calls_per_sample;
    judge(index, record);
    folder_.add(record, record.status == "wrong" ? std::vector<double>{} : samples);

    CaseResult& result = result_.cases[index];
    if (record.status == "ok") {
      result.medians_ns.push_back(summary.median);
      result.clocks_hz.push_back(*record.clock_hz);
    }
    const bool last = record.repetition + 1 == options_.repetitions;
    if (last)
      for (const Record& row : cases_[index]->profile()) folder_.add(row, {});
    const std::string plain =
        last ? fmt::format("{}: {:.3f} ms", record.case_name,
                           result.medians_ns.empty() ? summary.median * 1e-6 : median(result.medians_ns) * 1e-6)
             : std::string();
    progress_->step(record.case_name, plain, plans_[index].repetition_seconds);
  }

  /// The output must still be the verified one, and the clock near the fastest seen.
  void judge(std::size_t index, Record& record) {
    constexpr double throttled_below = 0.9;
    const std::string hash = cases_[index]->output_hash();
    fastest_clock_hz_ = std::max(fastest_clock_hz_, *record.clock_hz);
    if (hash != record.output_hash) {
      record.reason = fmt::format("output changed between calls: {} after {}", hash, record.output_hash);
      record.status = "wrong";
      record.verified = false;
      record.clear_times();
      result_.any_wrong = true;
      result_.cases[index].record = record;
    } else if (*record.clock_hz < throttled_below * fastest_clock_hz_) {
      record.status = "throttled";
      record.reason = fmt::format("clock {:.2f} GHz, fastest of this run {:.2f} GHz", *record.clock_hz * 1e-9,
                                  fastest_clock_hz_ * 1e-9);
    }
  }

  std::vector<std::unique_ptr<TimedCase>> cases_;
  SessionOptions options_;
  RunFolder& folder_;
  CacheEvictor evictor_;
  std::vector<Plan> plans_;
  std::vector<int> repetition_;
  double planned_seconds_ = 0;
  double fastest_clock_hz_ = 0;
  Progress* progress_ = nullptr;
  SessionResult result_;
};

/// --benchmark_filter=RE, on our case names; a leading '-' excludes.
void apply_filter(std::vector<std::unique_ptr<TimedCase>>& cases, const std::vector<std::string>& flags) {
  constexpr std::string_view flag = "--benchmark_filter=";
  for (const std::string& word : flags) {
    if (!word.starts_with(flag)) continue;
    std::string pattern = word.substr(flag.size());
    const bool exclude = pattern.starts_with('-');
    if (exclude) pattern.erase(0, 1);
    try {
      const std::regex expression(pattern);
      std::erase_if(cases, [&](const auto& c) {
        return std::regex_search(c->record.case_name, expression) == exclude;
      });
    } catch (const std::regex_error& error) {
      throw InputError(fmt::format("--benchmark_filter: '{}' is not a regular expression ({})", pattern, error.what()));
    }
  }
}

}  // namespace

SessionResult run_session(std::vector<std::unique_ptr<TimedCase>> cases, const SessionOptions& options,
                          RunFolder& folder) {
  apply_filter(cases, options.benchmark_flags);
  const InterruptGuard guard;
  return Session(std::move(cases), options, folder).run();
}

int finish_run(const SessionResult& result, RunFolder& folder) {
  constexpr int interrupted_status = 130;  // as a shell reports Ctrl-C
  if (result.interrupted) {
    fmt::print(stderr, "xnorbench: interrupted; {}\n",
               folder.path().empty() ? "nothing was kept (no --out)"
                                     : "finished repetitions are in " + folder.path().string() +
                                           "; the same command continues the run");
    return interrupted_status;
  }
  const int status = result.any_wrong ? 1 : 0;
  folder.finish(status);
  if (folder.path().empty())
    fmt::print("\nno records kept; --out=DIR writes them\n");
  else
    fmt::print("\nrecords in {}\n", folder.path().string());
  return status;
}

}  // namespace xnorbench
