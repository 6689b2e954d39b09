#include <fmt/format.h>

#include <utility>

#include "bench/cases/checker.h"
#include "bench/cases/fuzz.h"
#include "bench/cases/shapes.h"
#include "bench/cli/flags.h"
#include "bench/cli/parse.h"
#include "bench/commands.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/progress.h"
#include "core/error.h"
#include "core/random.h"

namespace xnorbench {
namespace {

Flags flags() {
  Flag shapes = shapes_flag("Layers to check", "ic65_ih4_oc3_kh3_ph1_pad-1", "");
  shapes.help += " The default is layers on which other programs were wrong.";
  return joined({{shapes,
                  {"--fuzz",
                   "N",
                   "Check N random layers instead.",
                   "",
                   [](const std::string& text, Options& options) {
                     options.fuzz = parse_integer("--fuzz", text, 0, INT64_MAX);
                   },
                   {"--shapes"},
                   "--fuzz and --shapes both say what to check; give one of them"},
                  seed_flag(),
                  implementations_flag(),
                  isa_flag(best_isa_name()),
                  threads_flag(can_run_threads(2) ? "1,2" : "1")}});
}

/// The problems to check, one after another.
class ProblemSource {
 public:
  explicit ProblemSource(const Options& options) : options_(options), random_(options.seed) {
    if (options.fuzz > 0) return;
    listed_ = options.shapes.empty() ? trap_problems() : load_problems(options.shapes);
  }

  std::int64_t count() const {
    return options_.fuzz > 0 ? options_.fuzz
                             : static_cast<std::int64_t>(listed_.size()) * patterns();
  }

  /// Problem `index` and the seed of its data. Call it with 0, 1, 2 ...
  std::pair<ConvProblem, std::uint64_t> next(std::int64_t index) {
    if (options_.fuzz > 0) {
      const ConvProblem problem = random_problem(random_);
      constexpr std::int64_t seeds = 1'000'000'000;
      return {problem, static_cast<std::uint64_t>(random_.below(seeds))};
    }
    return {listed_[static_cast<std::size_t>(index / patterns())],
            options_.seed + static_cast<std::uint64_t>(index % patterns())};
  }

 private:
  /// Seeds per problem: all kinds of data for the traps, the given seed for the given shapes.
  std::int64_t patterns() const { return options_.shapes.empty() ? 3 : 1; }

  const Options& options_;
  Random random_;
  std::vector<ConvProblem> listed_;
};

void print_tally(const Options& options, const CheckTally& tally) {
  fmt::print("\n{:<18} {:>8} {:>8} {:>12} {:>12}\n", "implementation", "ok", "wrong", "unsupported",
             "unavailable");
  for (const Implementation* implementation : options.implementations) {
    const auto found = tally.statuses.find(implementation->info().name);
    auto count = [&](const char* status) {
      if (found == tally.statuses.end() || !found->second.contains(status)) return std::int64_t{0};
      return found->second.at(status);
    };
    fmt::print("{:<18} {:>8} {:>8} {:>12} {:>12}\n", implementation->info().name, count("ok"),
               count("wrong"), count("unsupported"), count("unavailable"));
  }
  fmt::print("\nproblems with:");
  for (const auto& [feature, count] : tally.coverage) fmt::print("  {} {}", feature, count);
  fmt::print("\nseed {}: {} problems, {} wrong results\n", options.seed, tally.problems,
             tally.wrong);
}

int run(const Options& options) {
  CheckTally tally;
  ProblemSource source(options);
  const InterruptGuard guard;
  {
    Progress progress("checking", source.count());
    for (std::int64_t i = 0; i < source.count() && !is_interrupted(); ++i) {
      const auto [problem, seed] = source.next(i);
      const std::size_t known = tally.faults.size();
      check_problem(problem, seed, options.implementations, cpu_shares(options), tally);
      // Printed at once, in case a later problem crashes.
      for (std::size_t fault = known; fault < tally.faults.size(); ++fault)
        fmt::print("{}\n", tally.faults[fault]);
      progress.step(to_text(problem));
    }
  }
  print_tally(options, tally);
  if (tally.wrong > 0) return 1;
  if (is_interrupted()) return 130;
  if (tally.compared == 0)
    throw InputError(
        "nothing was compared: none of the implementations supports any of the problems; "
        "'xnorbench list' says what runs here, and --isa and --implementations what may");
  return 0;
}

}  // namespace

Command check_command() {
  return {
      .name = "check",
      .description = "Compare the results of all implementations with an oracle, exactly.",
      .example = "check --fuzz=20 --seed=7",
      .example_says = "20 random layers; the seed repeats the same ones.",
      .flags = flags,
      .run = run,
  };
}

}  // namespace xnorbench
