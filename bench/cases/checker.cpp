#include "bench/cases/checker.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <optional>
#include <set>

namespace xnorbench {
namespace {

void count_coverage(const ConvProblem& problem, CheckTally& tally) {
  const ConvShape& s = problem.shape;
  auto add = [&tally](const std::string& feature, bool has) { tally.coverage[feature] += has; };
  const bool padded = s.pad_height > 0 || s.pad_width > 0;
  for (PadValue pad : {PadValue::minus_one, PadValue::zero, PadValue::plus_one})
    add("pad " + to_string(pad), padded && problem.pad_value == pad);
  for (ZeroRule rule : {ZeroRule::plus, ZeroRule::minus})
    add("zero=" + to_string(rule), problem.zero_rule == rule);
  add("stride", s.stride_height > 1 || s.stride_width > 1);
  add("dilation", s.dilation_height > 1 || s.dilation_width > 1);
  add("groups", s.groups > 1);
  add("channel tail", s.group_in_channels() % 64 != 0);
  add("batch", s.batch > 1);
  add("rectangular", s.kernel_height != s.kernel_width || s.stride_height != s.stride_width);
  add("K > 65536", s.k() > 65536);
  for (Source source : {Source::sign, Source::f32})
    add("source " + to_string(source), problem.source == source);
  for (Destination destination :
       {Destination::acc, Destination::f32, Destination::sign, Destination::f32_sign})
    add("destination " + to_string(destination), problem.destination == destination);
}

/// "element 17 (n 0, y 1, x 2, o 5): expected 12, got 14; 33 of 4096 differ"
std::string describe(const ConvProblem& problem, const Mismatch& mismatch, std::size_t total) {
  const ConvShape& s = problem.shape;
  const std::int64_t count = s.output_count();
  const auto index = static_cast<std::int64_t>(mismatch.index) % count;
  const std::int64_t pixel = index / s.out_channels;
  // Values are compared as the bits of floats; signs and sums as integers.
  const bool is_value = problem.destination == Destination::f32 ||
                        (problem.destination == Destination::f32_sign &&
                         static_cast<std::int64_t>(mismatch.index) < count);
  auto shown = [is_value](std::int32_t bits) {
    if (!is_value) return fmt::format("{}", bits);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return fmt::format("{:.9g}", value);
  };
  return fmt::format("n {}, y {}, x {}, o {}: expected {}, got {}; {} of {} elements differ",
                     pixel / s.out_width() / s.out_height(), pixel / s.out_width() % s.out_height(),
                     pixel % s.out_width(), index % s.out_channels, shown(mismatch.expected),
                     shown(mismatch.actual), mismatch.count, total);
}

std::string label(const std::string& name, const CpuShare& share) {
  std::string text = name;
  if (share.threads != 1) text += fmt::format(" ({} threads)", share.threads);
  if (const std::string isa = limitation(share.isa); !isa.empty())
    text += fmt::format(" ({})", isa);
  return text;
}

}  // namespace

Pattern pattern_of_seed(std::uint64_t seed) {
  constexpr Pattern patterns[] = {Pattern::random, Pattern::near_k, Pattern::special};
  return patterns[seed % std::size(patterns)];
}

void check_problem(const ConvProblem& problem, std::uint64_t seed,
                   std::span<const Implementation* const> implementations,
                   const std::vector<CpuShare>& shares, CheckTally& tally) {
  require_memory(layer_bytes(problem.shape), to_text(problem));
  const LayerData data = make_layer_data(problem, seed, pattern_of_seed(seed));
  std::vector<NamedResult> results{{"oracle", expected_result(problem, data)}};
  std::vector<std::string> faults;
  ++tally.problems;
  count_coverage(problem, tally);

  for (const Implementation* implementation : implementations) {
    const std::string& name = implementation->info().name;
    std::map<std::string, std::int64_t>& statuses = tally.statuses[name];
    // A GPU has no use for the CPU.
    const bool on_cpu = implementation->info().device == "cpu";
    const std::size_t faults_before = faults.size();
    std::set<std::string> refusals;  // by some instruction sets, while others may compute it
    bool compared = false;
    for (const CpuShare& share : on_cpu ? shares : std::vector{CpuShare{}}) {
      const Support here =
          implementation->supports(problem, restrict_to(this_machine(), share.isa));
      if (!here) {
        refusals.insert(to_string(here.status));
        continue;
      }
      PreparedLayer layer(*implementation, problem, data, {.cpu = share});
      layer.run();
      results.push_back({label(name, share), layer.result()});
      compared = true;
      ++tally.compared;
      const Canonical& expected = results.front().values;
      const std::optional<Mismatch> mismatch = first_mismatch(expected, results.back().values);
      if (!mismatch) continue;
      ++tally.wrong;
      faults.push_back(fmt::format(
          "wrong: {} on {}\n  {}\n  seed {}; repeat with: xnorbench check --shapes={} --seed={} "
          "--threads={}{}",
          results.back().name, to_text(problem), describe(problem, *mismatch, expected.size()),
          seed, to_text(problem), seed, share.threads,
          limitation(share.isa).empty() ? "" : " --isa=" + limitation(share.isa)));
    }
    for (const std::string& status : refusals) ++statuses[status];
    if (!compared) continue;
    ++statuses[faults.size() == faults_before ? "ok" : "wrong"];
  }
  for (std::string& fault : faults)
    tally.faults.push_back(std::move(fault) + "\n  agreement: " + agreement(results));
}

}  // namespace xnorbench
