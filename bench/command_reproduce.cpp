// The table of published claims, from what is counted, planned and measured here.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <map>

#include "bench/claims/claims_of_memory.h"
#include "bench/claims/claims_of_size.h"
#include "bench/claims/claims_of_speed.h"
#include "bench/cli/flags.h"
#include "bench/cli/parse.h"
#include "bench/commands.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/progress.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;

Flags flags() {
  return joined({{{"--claims", "LIST", "Only these claims; '*' matches any characters.", "",
                   [](const std::string& text, Options& options) {
                     options.claims =
                         parse_list("--claims", text, [](const std::string& name) { return name; });
                   }}},
                 repetition_flags(),
                 {seed_flag(), out_flag()}});
}

/// A folder that is removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "xnorbench_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw InputError(fmt::format("cannot make a folder as {}; set TMPDIR", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

WithoutFma measure_without_fma(const Options& options) {
  print_note("timing the real-valued hourglass in a process without FMA");
  if (!options.out.empty())
    return measure_without_fma(options, fs::path(options.out) / "without_fma");
  const TemporaryFolder folder;
  return measure_without_fma(options, folder.path() / "run");
}

std::string value_text(double value, const std::string& unit) {
  return unit == "x" ? fmt::format("{:.4g}x", value) : fmt::format("{:.4g} {}", value, unit);
}

/// One paragraph per claim, one line per definition.
void print_claims(const std::vector<ClaimRow>& rows) {
  const ClaimRow* before = nullptr;
  for (const ClaimRow& row : rows) {
    if (!before || before->id != row.id || before->reported_value != row.reported_value ||
        before->conditions != row.conditions)
      fmt::print("\n{}: {} ({}; {})\n", row.id, value_text(row.reported_value, row.unit),
                 row.source, row.conditions);
    before = &row;
    const std::string over = row.baseline.empty() ? "" : " over " + row.baseline;
    fmt::print("  {:<14} {:>11}  {}{}\n", to_string(row.verdict),
               row.measured_value ? value_text(*row.measured_value, row.unit) : "", row.definition,
               over);
  }
  std::map<std::string, int> verdicts;
  for (const ClaimRow& row : rows) ++verdicts[to_string(row.verdict)];
  fmt::print("\n{} rows:", rows.size());
  for (const auto& [verdict, count] : verdicts) fmt::print(" {} {}", count, verdict);
  fmt::print("\n");
}

/// The claims that were asked for.
class Wanted {
 public:
  /// Throws InputError for a name that matches none.
  explicit Wanted(const std::vector<std::string>& patterns) : patterns_(patterns) {
    for (const std::string& pattern : patterns)
      if (std::none_of(std::begin(ids), std::end(ids),
                       [&](const char* id) { return matches(pattern, id); }))
        throw_unknown("claim", pattern, fmt::format("{}", fmt::join(ids, ", ")));
  }
  bool operator()(const std::string& id) const {
    return patterns_.empty() || std::any_of(patterns_.begin(), patterns_.end(),
                                            [&](const std::string& p) { return matches(p, id); });
  }
  bool any_of(std::initializer_list<const char*> group) const {
    return std::any_of(group.begin(), group.end(), [&](const char* id) { return (*this)(id); });
  }

 private:
  static constexpr const char* ids[] = {"compression_39x",    "conv_cpu_58x",   "espresso_memory",
                                        "forward_0_67s",      "gemm_binarynet", "gemm_cublas_3_5x",
                                        "memory_32x_xnornet", "memory_700MB",   "mlp_binarynet_7x",
                                        "model_size",         "ops_32x",        "realtime"};
  const std::vector<std::string>& patterns_;
};

void append(std::vector<ClaimRow>& rows, std::vector<ClaimRow> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

int run(const Options& options) {
  constexpr int enough_repetitions = 9;
  const Wanted wanted(options.claims);
  const bool products = wanted.any_of({"gemm_cublas_3_5x", "gemm_binarynet", "mlp_binarynet_7x"});
  const bool layers = wanted("conv_cpu_58x");
  const bool hourglass = wanted.any_of({"forward_0_67s", "realtime"});
  RunFolder folder(options.out, options.argv, options.implementations);
  folder.begin();  // before the process without FMA makes a folder in it
  std::vector<ClaimRow> rows = claims_of_size();
  if (wanted("memory_700MB")) {
    // First, as the growth of the process is plainest before anything else is loaded.
    const NetworkMemory modules = measure_torch7_memory(options.seed);
    folder.add_memory(modules, true);
    append(rows, claims_of_memory(modules));
  }

  SessionResult result;
  if (products || layers || hourglass) {
    WithoutFma without_fma;
    if (wanted("forward_0_67s")) {
      const InterruptGuard guard;
      without_fma = measure_without_fma(options);
      result.interrupted = is_interrupted();
    }
    if (result.interrupted) return finish_run(result, folder);
    ClaimCases cases(options);
    if (products) add_product_cases(cases);
    if (layers) add_layer_cases(cases);
    if (hourglass) add_hourglass_cases(cases);
    result = run_session(cases.take(), options.session, folder);
    if (result.interrupted || result.any_wrong) return finish_run(result, folder);
    const ClaimTimes times(result);
    if (products) append(rows, claims_of_products(times));
    if (layers) append(rows, claims_of_layers(times));
    if (hourglass) append(rows, claims_of_hourglass(times, without_fma));
  }

  std::erase_if(rows, [&](const ClaimRow& row) { return !wanted(row.id); });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ClaimRow& a, const ClaimRow& b) { return a.id < b.id; });
  print_claims(rows);
  if (!result.cases.empty() && options.session.repetitions < enough_repetitions)
    fmt::print("{} repetitions are enough for a look; a verdict takes {}\n",
               options.session.repetitions, enough_repetitions);
  if (!options.out.empty()) folder.add_file(claims_csv(), rows);
  return finish_folder(folder, 0);
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .description = "Compare published figures with what is counted, planned or measured here.",
      .example = "reproduce --claims='ops_32x,model_size'",
      .example_says = "Two claims of size, which need no measurement.",
      .flags = flags,
      .run = run,
  };
}

}  // namespace xnorbench
