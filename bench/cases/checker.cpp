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

/// One problem with its data; collects the results of all implementations.
class ProblemCheck {
 public:
  ProblemCheck(const ConvProblem& problem, std::uint64_t seed, CheckTally& tally)
      : problem_(problem),
        seed_(seed),
        data_(make_layer_data(problem, seed, pattern_of_seed(seed))),
        results_{{"oracle", expected_result(problem, data_)}},
        tally_(tally) {}

  /// With each share of the CPU; a GPU, which uses none of it, once.
  void check(const Implementation& implementation, const std::vector<CpuShare>& shares) {
    const bool on_cpu = implementation.info().device == "cpu";
    std::set<std::string> refusals;  // by some instruction sets, while others may compute it
    bool compared = false, wrong = false;
    for (const CpuShare& share : on_cpu ? shares : std::vector{CpuShare{}}) {
      const Support here =
          implementation.supports(problem_, restrict_to(this_machine(), share.isa));
      if (!here) {
        refusals.insert(to_string(here.status));
        continue;
      }
      compared = true;
      wrong |= !agrees(implementation, share);
    }
    std::map<std::string, std::int64_t>& statuses = tally_.statuses[implementation.info().name];
    for (const std::string& status : refusals) ++statuses[status];
    if (compared) ++statuses[wrong ? "wrong" : "ok"];
  }

  /// To be called last: adds to each fault which implementations agree.
  void finish() {
    for (std::string& fault : faults_)
      tally_.faults.push_back(std::move(fault) + "\n  agreement: " + agreement(results_));
  }

 private:
  /// Whether the result is the oracle's; describes the fault if not.
  bool agrees(const Implementation& implementation, const CpuShare& share) {
    PreparedLayer layer(implementation, problem_, data_, {.cpu = share});
    layer.run();
    results_.push_back({label(implementation.info().name, share), layer.result()});
    ++tally_.compared;
    const Canonical& expected = results_.front().values;
    const std::optional<Mismatch> mismatch = first_mismatch(expected, results_.back().values);
    if (!mismatch) return true;
    ++tally_.wrong;
    const std::string text = to_text(problem_), isa = limitation(share.isa);
    faults_.push_back(fmt::format(
        "wrong: {} on {}\n  {}\n  seed {}; repeat with: xnorbench check --shapes={} --seed={} "
        "--threads={}{}",
        results_.back().name, text, describe(problem_, *mismatch, expected.size()), seed_, text,
        seed_, share.threads, isa.empty() ? "" : " --isa=" + isa));
    return false;
  }

  const ConvProblem& problem_;
  std::uint64_t seed_;
  LayerData data_;
  std::vector<NamedResult> results_;
  std::vector<std::string> faults_;
  CheckTally& tally_;
};

}  // namespace

Pattern pattern_of_seed(std::uint64_t seed) {
  constexpr Pattern patterns[] = {Pattern::random, Pattern::near_k, Pattern::special};
  return patterns[seed % std::size(patterns)];
}

void check_problem(const ConvProblem& problem, std::uint64_t seed,
                   std::span<const Implementation* const> implementations,
                   const std::vector<CpuShare>& shares, CheckTally& tally) {
  require_memory(layer_bytes(problem.shape), to_text(problem));
  ProblemCheck check(problem, seed, tally);
  ++tally.problems;
  count_coverage(problem, tally);
  for (const Implementation* implementation : implementations) check.check(*implementation, shares);
  check.finish();
}

}  // namespace xnorbench
