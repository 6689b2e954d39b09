// The checker finds wrong implementations: three with the faults that public kernels had are put
// beside the real ones. And random problems cover what they are meant to.
#include "bench/cases/checker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "bench/cases/fuzz.h"
#include "core/random.h"
#include "core/sign.h"

namespace xnorbench {
namespace {

enum class Fault {
  none,
  drops_last_word,  ///< takes floor(channels / 64) words, as if channels were whole words
  border,           ///< a window that leaves the tensor on the right reads the last column again
  zero,             ///< packs weights by the other rule for zero
};

/// Loops over taps and channels, and one fault.
class LoopPlan final : public Plan {
 public:
  LoopPlan(const ConvProblem& problem, const PackedFormat& format, const Weights& weights,
           Context& context, Fault fault)
      : problem_(problem),
        format_(format),
        fault_(fault),
        epilogue_(problem, weights.epilogue, SumType::i32, context.ledger, context.cpu.isa) {
    const ZeroRule other = problem.zero_rule == ZeroRule::plus ? ZeroRule::minus : ZeroRule::plus;
    for (float value : weights.values)
      weights_.push_back(sign_of(value, fault == Fault::zero ? other : problem.zero_rule));
  }

  KernelName kernel() const override { return {"none", ""}; }
  SumType sum_type() const override { return SumType::i32; }
  MemoryUse workspace() const override { return {}; }

  void run(const void* source, const Output& output, std::byte*) override {
    const ConvShape& s = problem_.shape;
    std::vector<std::int8_t> signs(static_cast<std::size_t>(s.input_count()));
    decode_signs(format_, s.in_pixels(), source, signs.data());
    std::vector<std::int32_t> sums;
    for (std::int64_t n = 0; n < s.batch; ++n)
      for (std::int64_t y = 0; y < s.out_height(); ++y)
        for (std::int64_t x = 0; x < s.out_width(); ++x)
          for (std::int64_t o = 0; o < s.out_channels; ++o) sums.push_back(sum(signs, n, y, x, o));
    if (epilogue_.keeps_sums())
      std::copy(sums.begin(), sums.end(), static_cast<std::int32_t*>(output.sums));
    else
      epilogue_.apply(sums.data(), 0, s.out_pixels(), output);
  }

 private:
  std::int32_t sum(const std::vector<std::int8_t>& signs, std::int64_t n, std::int64_t out_y,
                   std::int64_t out_x, std::int64_t o) const {
    const ConvShape& s = problem_.shape;
    const std::int64_t channels = s.group_in_channels();
    const std::int64_t used = fault_ == Fault::drops_last_word ? channels / 64 * 64 : channels;
    const std::int64_t group = o / s.group_out_channels();
    std::int32_t sum = 0;
    for (std::int64_t tap = 0; tap < s.taps(); ++tap) {
      const std::int64_t y =
          out_y * s.stride_height - s.pad_height + tap / s.kernel_width * s.dilation_height;
      std::int64_t x =
          out_x * s.stride_width - s.pad_width + tap % s.kernel_width * s.dilation_width;
      if (fault_ == Fault::border && x == s.in_width) --x;
      const bool inside = y >= 0 && y < s.in_height && x >= 0 && x < s.in_width;
      for (std::int64_t c = 0; c < used; ++c) {
        const int a = inside ? signs[static_cast<std::size_t>(
                                   ((n * s.in_height + y) * s.in_width + x) * s.in_channels +
                                   group * channels + c)]
                             : static_cast<int>(problem_.pad_value);
        sum += a * weights_[static_cast<std::size_t>((o * channels + c) * s.taps() + tap)];
      }
    }
    return sum;
  }

  ConvProblem problem_;
  PackedFormat format_;
  Fault fault_;
  Epilogue epilogue_;
  std::vector<int> weights_;
};

class LoopImplementation final : public Implementation {
 public:
  explicit LoopImplementation(Fault fault) : fault_(fault) {}

  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine&) const override { return {}; }
  Support supports(const ConvProblem&, const Machine&) const override { return {}; }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return {PackedForm::bits, problem.shape.in_channels, problem.shape.groups, 0.0F};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<LoopPlan>(problem, source_format(problem), weights, context, fault_);
  }

 private:
  Fault fault_;
  ImplementationInfo info_{"cpu_xnor_fake", "cpu", "xnor", "for the checker's test"};
};

CheckTally check(const ConvProblem& problem, std::uint64_t seed, const Implementation& added,
                 int threads = 1) {
  std::vector<const Implementation*> implementations = find_implementations("*");
  implementations.insert(implementations.begin() + 2, &added);  // among the others
  CheckTally tally;
  check_problem(problem, seed, implementations, {threads}, tally);
  return tally;
}

/// Where the fault shows first, found without the checker.
std::string first_difference(const ConvProblem& problem, std::uint64_t seed,
                             const Implementation& implementation) {
  const LayerData data = make_layer_data(problem, seed, pattern_of_seed(seed));
  PreparedLayer layer(implementation, problem, data, {});
  layer.run();
  const Canonical expected = expected_result(problem, data), actual = layer.result();
  const ConvShape& s = problem.shape;
  std::size_t index = 0, different = 0;
  while (expected[index] == actual[index]) ++index;
  for (std::size_t i = 0; i < expected.size(); ++i) different += expected[i] != actual[i];
  const auto at = static_cast<std::int64_t>(index);
  const std::int64_t row = s.out_width() * s.out_channels, image = s.out_height() * row;
  return fmt::format("n {}, y {}, x {}, o {}: expected {}, got {}; {} of {} elements differ",
                     at / image, at % image / row, at % row / s.out_channels, at % s.out_channels,
                     expected[index], actual[index], different, expected.size());
}

void expect_found(const char* text, std::uint64_t seed, Fault fault) {
  const ConvProblem problem = parse_problem(text);
  const LoopImplementation wrong(fault);
  const CheckTally tally = check(problem, seed, wrong);
  SCOPED_TRACE(text);
  EXPECT_EQ(tally.wrong, 1);
  EXPECT_EQ(tally.statuses.at("cpu_xnor_fake").at("wrong"), 1);
  ASSERT_EQ(tally.faults.size(), 1U);
  const std::string& report = tally.faults.front();
  EXPECT_TRUE(report.starts_with("wrong: cpu_xnor_fake on " + to_text(problem) + "\n")) << report;
  EXPECT_NE(report.find(first_difference(problem, seed, wrong)), std::string::npos) << report;
  EXPECT_NE(report.find(fmt::format("seed {};", seed)), std::string::npos) << report;

  // Who agrees: the oracle with all that are right, the wrong one by itself.
  std::string agreement = "agreement: oracle";
  for (const Implementation* implementation : find_implementations("*"))
    if (implementation->supports(problem, this_machine()))
      agreement += " = " + implementation->info().name;
  EXPECT_TRUE(report.ends_with(agreement + " | cpu_xnor_fake")) << report;

  // The line to repeat it with leads to the same report.
  std::smatch words;
  const std::regex line("xnorbench check --shapes=(\\S+) --seed=(\\d+) --threads=(\\d+)\n");
  ASSERT_TRUE(std::regex_search(report, words, line)) << report;
  const ConvProblem again = parse_problem(words[1].str());
  EXPECT_EQ(again, problem);
  EXPECT_EQ(check(again, std::stoull(words[2]), wrong, std::stoi(words[3])).faults, tally.faults);
}

TEST(Checker, ARightImplementationIsOk) {
  const LoopImplementation right(Fault::none);
  for (const ConvProblem& problem : trap_problems()) {
    if (problem.shape.macs() > 2'000'000) continue;
    const CheckTally tally = check(problem, 2, right);
    EXPECT_TRUE(tally.faults.empty()) << tally.faults.front();
    EXPECT_EQ(tally.statuses.at("cpu_xnor_fake").at("ok"), 1);
  }
}

TEST(Checker, FindsADroppedWord) {
  for (std::uint64_t seed : {3U, 4U, 5U}) {  // each pattern of data
    expect_found("ic65_ih4_oc9_kh3_ph1", seed, Fault::drops_last_word);
    expect_found("ic31_ih3_oc4", seed, Fault::drops_last_word);
    expect_found("n2_ic130_ih3_oc6_g2_pad-1", seed, Fault::drops_last_word);
  }
}

TEST(Checker, FindsAFaultAtTheBorder) {
  for (std::uint64_t seed : {3U, 5U}) {
    expect_found("n2_ic64_ih5_iw6_oc9_kh3_ph1", seed, Fault::border);
    expect_found("ic32_ih7_oc8_kh3_sh2_ph1_pad1_zerominus_srcf32", seed, Fault::border);
  }
  // All equal signs hide it behind a padding of the same sign; behind a zero they do not.
  expect_found("ic64_ih5_oc3_kh3_ph1", 4, Fault::border);
}

TEST(Checker, FindsTheOtherRuleForZero) {
  static_assert(5 % 3 == 2);  // the pattern that has zeros
  expect_found("ic64_ih4_oc9_kh3_ph1", 5, Fault::zero);
  expect_found("ic64_ih4_oc9_kh3_ph1_zerominus", 5, Fault::zero);
}

TEST(Checker, AWrongValueIsShownAsANumber) {
  const CheckTally tally =
      check(parse_problem("ic65_ih4_oc9_dstf32"), 3, LoopImplementation(Fault::drops_last_word));
  ASSERT_EQ(tally.faults.size(), 1U);
  EXPECT_TRUE(std::regex_search(tally.faults.front(),
                                std::regex("expected -?[0-9.e-]{1,16}, got -?[0-9.e-]{1,16};")))
      << tally.faults.front();
}

TEST(Checker, FindsAWrongSignBehindRightValues) {
  // f32_sign: position and value must be of the part that differs.
  const CheckTally tally = check(parse_problem("ic65_ih4_oc9_dstf32sign"), 3,
                                 LoopImplementation(Fault::drops_last_word));
  ASSERT_EQ(tally.faults.size(), 1U);
  EXPECT_NE(tally.faults.front().find("of 288 elements differ"), std::string::npos)
      << tally.faults.front();
}

TEST(Checker, AllPatternsComeUp) {
  for (std::uint64_t seed : {0U, 7U, 999'999'999U})
    EXPECT_TRUE(pattern_of_seed(seed) != pattern_of_seed(seed + 1) &&
                pattern_of_seed(seed) != pattern_of_seed(seed + 2) &&
                pattern_of_seed(seed + 1) != pattern_of_seed(seed + 2));
}

TEST(Fuzz, CoversEveryFeatureAndNothingIsWrong) {
  constexpr std::int64_t problems = 500, seeds = 1'000'000'000;
  const std::vector<const Implementation*> implementations = find_implementations("*");
  CheckTally tally;
  Random random(7);
  for (std::int64_t i = 0; i < problems; ++i) {
    const ConvProblem problem = random_problem(random);
    EXPECT_NO_THROW(validate(problem)) << to_text(problem);
    EXPECT_EQ(parse_problem(to_text(problem)), problem);
    check_problem(problem, static_cast<std::uint64_t>(random.below(seeds)), implementations, {1},
                  tally);
  }
  for (const std::string& fault : tally.faults) ADD_FAILURE() << fault;
  EXPECT_EQ(tally.problems, problems);
  EXPECT_EQ(tally.wrong, 0);
  for (const Implementation* implementation :
       find_implementations("cpu_xnor_*")) {  // never unsupported
    const std::string& name = implementation->info().name;
    const char* const expected = implementation->available(this_machine()) ? "ok" : "unavailable";
    EXPECT_EQ(tally.statuses[name][expected], problems) << name;
  }

  for (const char* feature :
       {"pad -1", "pad 0", "pad 1", "zero=plus", "zero=minus", "stride", "dilation", "groups",
        "channel tail", "batch", "rectangular", "K > 65536", "source sign", "source f32",
        "destination acc", "destination f32", "destination sign", "destination f32_sign"})
    EXPECT_GT(tally.coverage[feature], 0) << feature;
  for (const auto& [feature, count] : tally.coverage) {
    fmt::print("{}: {}\n", feature, count);
    EXPECT_GT(count, 0) << feature;
  }
}

TEST(Fuzz, RepeatsFromItsSeed) {
  Random one(9), two(9);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(random_problem(one), random_problem(two));
}

TEST(Fuzz, TrapsAreValidAndDistinct) {
  const std::vector<ConvProblem> traps = trap_problems();
  for (const ConvProblem& problem : traps)
    EXPECT_EQ(std::count(traps.begin(), traps.end(), problem), 1) << to_text(problem);
}

}  // namespace
}  // namespace xnorbench
