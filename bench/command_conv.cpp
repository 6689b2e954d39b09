#include <fmt/format.h>

#include <algorithm>

#include "bench/cases/network_source.h"
#include "bench/cli/layer_sweep.h"
#include "bench/commands.h"
#include "core/error.h"

namespace xnorbench {
namespace {

// Layers of the hourglass and of ResNet that papers and their critics measure.
constexpr const char* default_shapes =
    "ic256_ih64_oc128_kh3_ph1_pad-1,ic128_ih64_oc64_kh3_ph1_pad-1,ic64_ih64_oc64_kh3_ph1_pad-1,"
    "ic256_ih14_oc256_kh3_ph1_pad-1,ic512_ih7_oc512_kh3_ph1_pad-1,ic256_ih64_oc256";

/// The binary layers of networks, each shape once under the name of the first layer that has it.
std::vector<NamedProblem> problems_of_networks(const std::string& list) {
  std::vector<NamedProblem> problems;
  for (const NetworkSource& source : find_network_sources(list)) {
    const Graph graph = source.build(1);
    for (const Node& node : graph.nodes()) {
      if (node.kind != NodeKind::binary_convolution) continue;
      if (std::none_of(problems.begin(), problems.end(),
                       [&](const auto& p) { return p.problem == node.problem; }))
        problems.push_back({node.problem, graph.name(), node.name});
    }
  }
  if (problems.empty())
    throw InputError(fmt::format("--networks={}: no binary layers there", list));
  return problems;
}

std::vector<NamedProblem> problems_to_time(const Options& options) {
  if (!options.networks.empty() && !options.shapes.empty())
    throw InputError("--shapes and --networks both say which layers to time; give one of them");
  if (!options.networks.empty()) return problems_of_networks(options.networks);
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem :
       load_problems(options.shapes.empty() ? default_shapes : options.shapes))
    problems.push_back({problem, "", ""});
  return problems;
}

}  // namespace

int run_conv(const Options& options) {
  return run_layers("conv", to_text, problems_to_time(options), options);
}

}  // namespace xnorbench
