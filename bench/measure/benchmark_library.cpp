#include "bench/measure/benchmark_library.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <fstream>
#include <regex>

#include "core/error.h"

namespace xnorbench {
namespace {

/// Google Benchmark's own tables would repeat this program's.
class SilentReporter final : public benchmark::BenchmarkReporter {
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// Value of the last "--benchmark_NAME=value"; empty without one.
std::string value_of(const std::vector<std::string>& flags, const std::string& name) {
  const std::string prefix = "--benchmark_" + name + "=";
  std::string value;
  for (const std::string& flag : flags)
    if (flag.starts_with(prefix)) value = flag.substr(prefix.size());
  return value;
}

/// A flag of the library that would change how often a case is called, and what to give instead.
struct RefusedFlag {
  const char* name;
  const char* instead;
};
constexpr RefusedFlag refused_flags[] = {
    {"--benchmark_min_time", "--min-time=S, seconds of samples per repetition"},
    {"--benchmark_repetitions", "--repetitions=N"},
    {"--benchmark_min_warmup_time", "nothing: each repetition begins with a warm-up call"},
};

}  // namespace

void initialise_benchmark_library(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags)
    for (const RefusedFlag& refused : refused_flags)
      if (flag.starts_with(refused.name))
        throw InputError(
            fmt::format("{} is not used here; give {}", refused.name, refused.instead));
  // The library ends the program when it cannot write its file.
  if (const std::string file = value_of(flags, "out");
      !file.empty() && !std::ofstream(file, std::ios::app))
    throw InputError(fmt::format("--benchmark_out: cannot write {}", file));

  // Repetitions of a case are spread over the run, so that a busy minute does not fall on one case
  // alone; a user's own flag comes later and wins.
  std::vector<std::string> command{"xnorbench", "--benchmark_enable_random_interleaving=true"};
  command.insert(command.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1) throw InputError(fmt::format("'{}' is not a flag of Google Benchmark", argv[1]));
}

bool passes_benchmark_filter(const std::vector<std::string>& flags, const std::string& case_name) {
  std::string pattern = value_of(flags, "filter");
  if (pattern.empty()) return true;
  const bool exclude = pattern.front() == '-';
  if (exclude) pattern.erase(0, 1);
  try {
    return std::regex_search(case_name, std::regex(pattern)) != exclude;
  } catch (const std::regex_error& error) {
    throw InputError(fmt::format("--benchmark_filter: '{}' is not a regular expression ({})",
                                 pattern, error.what()));
  }
}

bool wants_benchmark_names(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags)
    if (flag == "--benchmark_list_tests" || flag == "--benchmark_list_tests=true") return true;
  return false;
}

void run_registered_benchmarks() {
  SilentReporter reporter;
  // The library's names have suffixes; ours were filtered before.
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace xnorbench
