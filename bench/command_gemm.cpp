// Matrix products: C (m x n) = A (m x k) * B (k x n) of signs. A pointwise convolution over m pixels with k
// input and n output channels is that product, so every implementation runs it as one: OpenBLAS as a plain
// SGEMM without im2col.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "bench/commands.h"
#include "bench/layer_sweep.h"
#include "core/error.h"

namespace xnorbench {
namespace {

// A cube, and the hourglass' own: 3x3 256->128 and 128->64, 1x1 128->256, all at 64x64.
constexpr const char* default_shapes =
    "m1024_n1024_k1024,m4096_n128_k2304,m4096_n64_k1152,m4096_n256_k128";

std::string to_gemm_text(const ConvProblem& problem) {
  const ConvShape& s = problem.shape;
  return fmt::format("m{}_n{}_k{}", s.in_height, s.out_channels, s.in_channels);
}

/// m, n and k in any order; all three are needed.
ConvProblem parse_gemm(std::string_view text) {
  auto fail = [text]() -> InputError {
    return InputError(fmt::format("product '{}': expected three sizes of at least 1, as in m1024_n512_k256", text));
  };
  ConvProblem problem;
  std::int64_t* sizes[3] = {&problem.shape.in_height, &problem.shape.out_channels, &problem.shape.in_channels};
  bool seen[3] = {};
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view token = rest.substr(0, rest.find('_'));
    rest.remove_prefix(std::min(token.size() + 1, rest.size()));
    const std::size_t index = std::string_view("mnk").find(token.empty() ? '?' : token.front());
    if (index > 2 || seen[index]) throw fail();
    seen[index] = true;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data() + 1, end, *sizes[index]);
    if (error != std::errc{} || stop != end || *sizes[index] < 1) throw fail();
  }
  if (!seen[0] || !seen[1] || !seen[2]) throw fail();
  validate(problem);
  return problem;
}

}  // namespace

int run_gemm(const Options& options) {
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem : load_problems(options.shapes.empty() ? default_shapes : options.shapes, parse_gemm))
    problems.push_back({problem, "", ""});
  return run_layers("gemm", to_gemm_text, problems, options);
}

}  // namespace xnorbench
