// Times matrix products.
#include "bench/commands.h"
#include "bench/gemm_problem.h"
#include "bench/layer_sweep.h"

namespace xnorbench {
namespace {

// A cube, and the hourglass' own: 3x3 256->128 and 128->64, 1x1 128->256, all at 64x64.
constexpr const char* default_shapes =
    "m1024_n1024_k1024,m4096_n128_k2304,m4096_n64_k1152,m4096_n256_k128";

}  // namespace

int run_gemm(const Options& options) {
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem : load_problems(options.shapes.empty() ? default_shapes : options.shapes, parse_gemm))
    problems.push_back({problem, "", ""});
  return run_layers("gemm", to_gemm_text, problems, options);
}

}  // namespace xnorbench
