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

/// Times all combinations of problems and of the options' lists; returns the exit status. `kind`
/// and the text from `to_name` go to the records.
int run_layers(const std::string& kind,
               const std::function<std::string(const ConvProblem&)>& to_name,
               const std::vector<NamedProblem>& problems, const Options& options);

}  // namespace xnorbench
