#include <fmt/format.h>

#include "bench/checker.h"
#include "bench/commands.h"
#include "bench/fuzz.h"
#include "bench/progress.h"
#include "core/random.h"

namespace xnorbench {
namespace {

struct SeededProblem {
  ConvProblem problem;
  std::uint64_t seed;
};

std::vector<SeededProblem> problems_to_check(const Options& options) {
  std::vector<SeededProblem> problems;
  if (options.fuzz > 0) {
    Random random(options.seed);
    constexpr std::int64_t seeds = 1'000'000'000;
    for (std::int64_t i = 0; i < options.fuzz; ++i) {
      const ConvProblem problem = random_problem(random);
      problems.push_back({problem, static_cast<std::uint64_t>(random.below(seeds))});
    }
    return problems;
  }
  if (!options.shapes.empty()) {
    for (const ConvProblem& problem : load_problems(options.shapes)) problems.push_back({problem, options.seed});
    return problems;
  }
  // Every pattern of data for every trap.
  for (const ConvProblem& problem : trap_problems())
    for (std::uint64_t pattern = 0; pattern < 3; ++pattern) problems.push_back({problem, options.seed + pattern});
  return problems;
}

void print_tally(const Options& options, const CheckTally& tally) {
  for (const std::string& fault : tally.faults) fmt::print("{}\n", fault);
  fmt::print("\n{:<18} {:>8} {:>8} {:>12} {:>12}\n", "implementation", "ok", "wrong", "unsupported", "unavailable");
  for (const Implementation* implementation : options.implementations) {
    const auto found = tally.statuses.find(implementation->info().name);
    auto count = [&](const char* status) {
      if (found == tally.statuses.end() || !found->second.contains(status)) return std::int64_t{0};
      return found->second.at(status);
    };
    fmt::print("{:<18} {:>8} {:>8} {:>12} {:>12}\n", implementation->info().name, count("ok"), count("wrong"),
               count("unsupported"), count("unavailable"));
  }
  fmt::print("\nproblems with:");
  for (const auto& [feature, count] : tally.coverage) fmt::print("  {} {}", feature, count);
  fmt::print("\nseed {}: {} problems, {} wrong results\n", options.seed, tally.problems, tally.wrong);
}

}  // namespace

int run_check(const Options& options) {
  const std::vector<SeededProblem> problems = problems_to_check(options);
  CheckTally tally;
  {
    Progress progress("checking", static_cast<int>(problems.size() * options.threads.size()), 0);
    for (int threads : options.threads)
      for (const auto& [problem, seed] : problems) {
        check_problem(problem, seed, options.implementations, threads, tally);
        progress.step(to_text(problem), "", 0);
      }
  }
  print_tally(options, tally);
  return tally.wrong > 0 ? 1 : 0;
}

}  // namespace xnorbench
