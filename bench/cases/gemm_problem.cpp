#include "bench/cases/gemm_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace xnorbench {

std::string to_gemm_text(const ConvProblem& problem) {
  const ConvShape& s = problem.shape;
  return fmt::format("m{}_n{}_k{}", s.in_height, s.out_channels, s.in_channels);
}

ConvProblem parse_gemm(std::string_view text) {
  auto fail = [text]() -> InputError {
    return InputError(fmt::format(
        "product '{}': expected three sizes of at least 1, as in m1024_n512_k256", text));
  };
  ConvProblem problem;
  std::int64_t* sizes[3] = {&problem.shape.in_height, &problem.shape.out_channels,
                            &problem.shape.in_channels};
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

}  // namespace xnorbench
