#include <fmt/format.h>

#include <algorithm>

#include "bench/cases/network_source.h"
#include "bench/cases/shapes.h"
#include "bench/cli/flags.h"
#include "bench/cli/layer_sweep.h"
#include "bench/commands.h"
#include "core/error.h"

namespace xnorbench {
namespace {

Flags flags() {
  Flag networks =
      text_flag("--networks", "LIST", "Time the binary layers of these networks instead.",
                &Options::networks);
  networks.excludes = {"--shapes"};
  networks.exclusion = "--shapes and --networks both say which layers to time; give one of them";
  return joined({{shapes_flag("Layers to time", "ic256_ih64_oc128_kh3_ph1_pad-1", "conv"), networks,
                  batch_flag("")},
                 region_flags(),
                 measuring_flags()});
}

/// The binary layers of networks: each shape once, under the name of its first layer.
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
  if (!options.networks.empty()) return problems_of_networks(options.networks);
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem : load_problems(options.shapes))
    problems.push_back({problem, "", ""});
  return problems;
}

int run(const Options& options) {
  return run_layers("conv", to_text, problems_to_time(options), options);
}

}  // namespace

Command conv_command() {
  return {
      .name = "conv",
      .description = "Time single binary layers.",
      .example = "conv --shapes=ic256_ih14_oc256_kh3_ph1 --quick",
      .example_says = "A 3x3 layer of 256 channels at 14x14 pixels, on all implementations.",
      .flags = flags,
      .run = run,
      .takes_benchmark_flags = true,
  };
}

}  // namespace xnorbench
