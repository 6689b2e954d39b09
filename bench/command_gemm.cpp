#include "bench/cases/gemm_problem.h"
#include "bench/cli/flags.h"
#include "bench/cli/layer_sweep.h"
#include "bench/commands.h"

namespace xnorbench {
namespace {

Flags flags() {
  Flag shapes = shapes_flag("Products to time", "m1024_n512_k256", "gemm");
  shapes.help += " A product of 4096x4096x4096 takes minutes to check.";
  return joined({{shapes}, region_flags(), measuring_flags()});
}

int run(const Options& options) {
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem : load_problems(options.shapes, gemm_shapes))
    problems.push_back({problem, "", ""});
  return run_layers("gemm", to_gemm_text, problems, options);
}

}  // namespace

Command gemm_command() {
  return {
      .name = "gemm",
      .description = "Time matrix products of signs: m rows, n columns, sums of k terms.",
      .example = "gemm --shapes=m256_n256_k1024 --quick",
      .example_says = "One product on all implementations.",
      .flags = flags,
      .run = run,
      .takes_benchmark_flags = true,
  };
}

}  // namespace xnorbench
