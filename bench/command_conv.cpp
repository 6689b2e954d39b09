#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/commands.h"
#include "bench/layer_case.h"
#include "bench/summary_table.h"
#include "core/error.h"
#include "core/names.h"
#include "networks/network_list.h"

namespace xnorbench {
namespace {

// Layers of the hourglass and of ResNet that papers and their critics measure.
constexpr const char* default_shapes =
    "ic256_ih64_oc128_kh3_ph1_pad-1,ic128_ih64_oc64_kh3_ph1_pad-1,ic64_ih64_oc64_kh3_ph1_pad-1,"
    "ic256_ih14_oc256_kh3_ph1_pad-1,ic512_ih7_oc512_kh3_ph1_pad-1,ic256_ih64_oc256";

struct NamedProblem {
  ConvProblem problem;
  std::string network, layer;
};

/// The binary layers of networks, each shape once under the name of the first layer that has it.
std::vector<NamedProblem> problems_of_networks(const std::string& list) {
  std::vector<NamedProblem> problems;
  for (const NetworkEntry* entry : find_networks(list)) {
    const Graph graph = entry->build(1);
    for (const Node& node : graph.nodes()) {
      if (node.kind != NodeKind::binary_convolution) continue;
      if (std::none_of(problems.begin(), problems.end(), [&](const auto& p) { return p.problem == node.problem; }))
        problems.push_back({node.problem, graph.name(), node.name});
    }
  }
  if (problems.empty()) throw InputError(fmt::format("--networks={}: no binary layers there", list));
  return problems;
}

std::vector<NamedProblem> problems_to_time(const Options& options) {
  if (!options.networks.empty() && !options.shapes.empty())
    throw InputError("--shapes and --networks both say which layers to time; give one of them");
  if (!options.networks.empty()) return problems_of_networks(options.networks);
  std::vector<NamedProblem> problems;
  for (const ConvProblem& problem : load_problems(options.shapes.empty() ? default_shapes : options.shapes))
    problems.push_back({problem, "", ""});
  return problems;
}

/// All combinations of what is swept; an empty list keeps what the problem says.
std::vector<NamedProblem> sweep(const std::vector<NamedProblem>& problems, const Options& options) {
  std::vector<NamedProblem> swept;
  for (const NamedProblem& named : problems) {
    const ConvProblem& p = named.problem;
    const auto batches = options.batches.empty() ? std::vector{p.shape.batch} : options.batches;
    const auto sources = options.sources.empty() ? std::vector{p.source} : options.sources;
    const auto destinations = options.destinations.empty() ? std::vector{p.destination} : options.destinations;
    for (std::int64_t batch : batches)
      for (Source source : sources)
        for (Destination destination : destinations) {
          NamedProblem variant = named;
          variant.problem.shape.batch = batch;
          variant.problem.source = source;
          variant.problem.destination = destination;
          validate(variant.problem);
          if (std::none_of(swept.begin(), swept.end(), [&](const auto& s) { return s.problem == variant.problem; }))
            swept.push_back(variant);
        }
  }
  return swept;
}

}  // namespace

std::vector<ConvProblem> load_problems(const std::string& shapes) {
  std::vector<ConvProblem> problems;
  std::error_code not_a_path;  // a long list of shapes is none
  if (!std::filesystem::is_regular_file(shapes, not_a_path)) {
    try {
      for (const std::string& text : split_list("--shapes", shapes)) problems.push_back(parse_problem(text));
    } catch (const InputError& error) {
      const bool like_a_file = shapes.find_first_of("./") != std::string::npos;
      throw InputError(like_a_file ? fmt::format("--shapes={}: no such file, and no problem text either", shapes)
                                   : std::string(error.what()));
    }
    return problems;
  }
  std::ifstream stream(shapes);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty()) continue;
    try {
      problems.push_back(parse_problem(line));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", shapes, number, error.what()));
    }
  }
  if (problems.empty()) throw InputError(fmt::format("{}: no problems in it; expected one a line, as in ic64_ih56_oc64_kh3_ph1", shapes));
  return problems;
}

int run_conv(const Options& options) {
  std::vector<std::unique_ptr<TimedCase>> cases;
  for (const NamedProblem& named : sweep(problems_to_time(options), options)) {
    // Before anything is measured: one shape too large must not end a sweep in its middle.
    require_memory(layer_bytes(named.problem.shape), to_text(named.problem));
    auto task = std::make_shared<LayerTask>();
    task->problem = named.problem;
    task->network = named.network;
    task->layer = named.layer;
    task->seed = options.seed;
    for (int threads : options.threads)
      for (Cache cache : options.caches)
        for (const Implementation* implementation : options.implementations)
          cases.push_back(std::make_unique<LayerCase>(task, *implementation, threads, cache));
  }
  RunFolder folder(options.out, options.words);
  const SessionResult result = run_session(std::move(cases), options.session, folder);
  print_summary(result);
  return finish_run(result, folder);
}

}  // namespace xnorbench
