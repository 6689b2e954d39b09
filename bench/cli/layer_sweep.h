// Single layers to be timed: what conv and gemm have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/cli/options.h"

namespace xnorbench {

struct NamedProblem {
  ConvProblem problem;
  std::string network, layer;  ///< where the shape was taken from; may be empty
};

/// Problems from --shapes: a comma-separated list of texts, or a file with one a line ('#' begins a
/// comment). Throws InputError that names the text, or the file and line.
std::vector<ConvProblem> load_problems(
    const std::string& shapes,
    const std::function<ConvProblem(std::string_view)>& parse = parse_problem);

/// Times all combinations of problems and what the options sweep; returns the exit status. `kind`
/// is that of the records, `to_name` gives a problem's text in them.
int run_layers(const std::string& kind,
               const std::function<std::string(const ConvProblem&)>& to_name,
               const std::vector<NamedProblem>& problems, const Options& options);

}  // namespace xnorbench
