// The table of published claims: what is counted, what is planned, what is measured here, and what takes a device.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/claims_of_memory.h"
#include "bench/claims_of_size.h"
#include "bench/claims_of_speed.h"
#include "bench/commands.h"
#include "bench/progress.h"
#include "core/error.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;

/// A folder that goes when it does.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "xnorbench_XXXXXX").string();
    if (!mkdtemp(name.data())) throw InputError(fmt::format("cannot make a folder as {}; set TMPDIR", name));
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
  print_note("the real-valued hourglass once more, in a process without FMA ...");
  if (!options.out.empty()) return measure_without_fma(options, fs::path(options.out) / "without_fma");
  const TemporaryFolder folder;
  return measure_without_fma(options, folder.path() / "run");
}

std::string value_text(double value, const std::string& unit) {
  return unit == "x" ? fmt::format("{:.4g}x", value) : fmt::format("{:.4g} {}", value, unit);
}

/// Claim by claim, a line for each definition.
void print_claims(const std::vector<ClaimRow>& rows) {
  const ClaimRow* before = nullptr;
  for (const ClaimRow& row : rows) {
    if (!before || before->id != row.id || before->reported_value != row.reported_value ||
        before->conditions != row.conditions)
      fmt::print("\n{}: {} ({}; {})\n", row.id, value_text(row.reported_value, row.unit), row.source, row.conditions);
    before = &row;
    const std::string over = row.baseline.empty() ? "" : " over " + row.baseline;
    fmt::print("  {:<14} {:>11}  {}{}\n", to_string(row.verdict),
               row.measured_value ? value_text(*row.measured_value, row.unit) : "", row.definition, over);
  }
  std::map<std::string, int> verdicts;
  for (const ClaimRow& row : rows) ++verdicts[to_string(row.verdict)];
  fmt::print("\n{} rows:", rows.size());
  for (const auto& [verdict, count] : verdicts) fmt::print(" {} {}", count, verdict);
  fmt::print("\n");
  std::fflush(stdout);
}

void append(std::vector<ClaimRow>& rows, std::vector<ClaimRow> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

int run_reproduce(const Options& options) {
  RunFolder folder(options.out, options.words, options.implementations);
  // First: what the process grows by is plainest before anything else was loaded.
  const NetworkMemory modules = measure_torch7_memory(options.seed);
  folder.add_memory(modules, true);
  const WithoutFma without_fma = measure_without_fma(options);
  ClaimCases cases(options);
  add_product_cases(cases);
  add_layer_cases(cases);
  add_hourglass_cases(cases);
  const SessionResult result = run_session(cases.take(), options.session, folder);
  if (result.interrupted || result.any_wrong) return finish_run(result, folder);

  const ClaimTimes times(result);
  std::vector<ClaimRow> rows = claims_of_size();
  append(rows, claims_of_memory(modules));
  append(rows, claims_of_products(times));
  append(rows, claims_of_layers(times));
  append(rows, claims_of_hourglass(times, without_fma));
  std::stable_sort(rows.begin(), rows.end(), [](const ClaimRow& a, const ClaimRow& b) { return a.id < b.id; });
  print_claims(rows);
  if (!options.out.empty()) folder.add_file("claims.csv", claims_csv(rows));
  return finish_run(result, folder);
}

}  // namespace xnorbench
