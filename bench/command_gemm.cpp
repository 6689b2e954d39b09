// Times matrix products.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cases/gemm_problem.h"
#include "bench/cli/layer_sweep.h"
#include "bench/commands.h"

namespace xnorbench {
int run_gemm(const Options& options) {
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem :
       load_problems(options.shapes.empty() ? fmt::format("{}", fmt::join(usual_products(), ","))
                                            : options.shapes,
                     parse_gemm))
    problems.push_back({problem, "", ""});
  return run_layers("gemm", to_gemm_text, problems, options);
}

}  // namespace xnorbench
