#include "bench/measure/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/records/statistics.h"

namespace xnorbench {
namespace {

std::string group_of(const Record& r) {
  const std::string what = r.kind == "network" ? r.network + ", input " + r.input : r.problem;
  const std::string region =
      r.kind == "network" ? "" : fmt::format(", {} to {}", r.source, r.destination);
  return fmt::format("{}{}, batch {}, {} thread{}, {} cache, seed {}", what, region, r.batch,
                     r.threads, r.threads == 1 ? "" : "s", r.cache, r.seed);
}

bool is_timed(const CaseResult& result) { return !result.medians_ns.empty(); }

/// The baseline of ratios: a float implementation of the group that was measured at the same
/// instruction set. The list of implementations begins with the slow ones, so the last one is
/// taken.
const CaseResult* find_baseline(const std::vector<const CaseResult*>& group,
                                const std::string& limited_to) {
  const CaseResult* baseline = nullptr;
  for (const CaseResult* result : group)
    if (result->record.arithmetic == "f32" && result->record.limited_to == limited_to &&
        is_timed(*result))
      baseline = result;
  return baseline;
}

std::string format_time(double ns) {
  return ns < 1e6 ? fmt::format("{:.1f} us", ns * 1e-3) : fmt::format("{:.2f} ms", ns * 1e-6);
}

std::string format_bytes(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  return bytes < 1 << 20 ? fmt::format("{:.1f} KiB", value / 1024.0)
                         : fmt::format("{:.1f} MiB", value / 1048576.0);
}

std::string name_of(const Record& r) {
  return r.limited_to.empty() ? r.implementation : r.implementation + " " + r.limited_to;
}

void print_row(const CaseResult& result, const CaseResult* baseline, std::size_t width) {
  const Record& r = result.record;
  const std::string name = name_of(r);
  if (!is_timed(result)) {
    fmt::print("  {:<{}} {}{}\n", name, width, r.status == "ok" ? "not measured" : r.status,
               r.reason.empty() ? "" : ": " + r.reason);
    return;
  }
  const double ns = median(result.medians_ns);
  Record typical = r;
  typical.time_median_ns = ns;
  typical.clock_hz = median(result.clocks_hz);
  const std::optional<double> share = typical.bound_share();
  const std::string ratio =
      baseline ? fmt::format("{:.2f}x", median(baseline->medians_ns) / ns) : "";
  const std::int64_t beyond_weights = r.peak_bytes.value_or(0) - r.weights_bytes.value_or(0);
  fmt::print("  {:<{}} {:>10} {:>7} {:>9.1f} {:>6} {:>9} {:>9}  {:.8}\n", name, width,
             format_time(ns), ratio, typical.macs_per_cycle().value_or(0),
             share ? fmt::format("{:.0f}%", 100 * *share) : "",
             format_bytes(r.weights_bytes.value_or(0)), format_bytes(beyond_weights),
             r.output_hash);
}

void print_group(const std::string& title, const std::vector<const CaseResult*>& group) {
  const CaseResult* baseline = nullptr;  // for the footnote: the same at each instruction set
  for (const CaseResult* result : group)
    if (const CaseResult* found = find_baseline(group, result->record.limited_to)) baseline = found;
  fmt::print("\n{}\n", title);
  std::size_t width = 18;
  for (const CaseResult* result : group) width = std::max(width, name_of(result->record).size());
  fmt::print("  {:<{}} {:>10} {:>7} {:>9} {:>6} {:>9} {:>9}  {}\n", "implementation", width,
             "median", baseline ? "over *" : "", "MAC/cycle", "bound", "weights", "beyond",
             "output");
  for (const CaseResult* result : group)
    print_row(*result, find_baseline(group, result->record.limited_to), width);
  if (baseline) fmt::print("  * {}\n", baseline->record.implementation);
}

}  // namespace

void print_summary(const SessionResult& result) {
  std::vector<std::string> titles;
  for (const CaseResult& c : result.cases) {
    if (result.interrupted && !is_timed(c)) continue;
    const std::string title = group_of(c.record);
    if (std::find(titles.begin(), titles.end(), title) == titles.end()) titles.push_back(title);
  }
  for (const std::string& title : titles) {
    std::vector<const CaseResult*> group;
    for (const CaseResult& c : result.cases)
      if (group_of(c.record) == title) group.push_back(&c);
    print_group(title, group);
  }
  std::fflush(stdout);
}

}  // namespace xnorbench
