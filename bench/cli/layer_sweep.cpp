#include "bench/cli/layer_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/cases/layer_case.h"
#include "bench/measure/summary_table.h"

namespace xnorbench {
namespace {

/// The values of a list flag, or what the problem says.
template <typename Value>
std::vector<Value> given_or(const std::vector<Value>& given, Value of_problem) {
  return given.empty() ? std::vector{of_problem} : given;
}

/// A problem with each batch, source and destination that the options name.
std::vector<ConvProblem> variants_of(const ConvProblem& problem, const Options& options) {
  std::vector<ConvProblem> variants;
  for (std::int64_t batch : given_or(options.batches, problem.shape.batch))
    for (Source source : given_or(options.sources, problem.source))
      for (Destination destination : given_or(options.destinations, problem.destination)) {
        ConvProblem variant = problem;
        variant.shape.batch = batch;
        variant.source = source;
        variant.destination = destination;
        validate(variant);
        variants.push_back(variant);
      }
  return variants;
}

/// All variants of all problems, each once.
std::vector<NamedProblem> sweep(const std::vector<NamedProblem>& problems, const Options& options) {
  std::vector<NamedProblem> swept;
  for (const NamedProblem& named : problems)
    for (const ConvProblem& variant : variants_of(named.problem, options))
      if (std::none_of(swept.begin(), swept.end(),
                       [&](const auto& earlier) { return earlier.problem == variant; }))
        swept.push_back({variant, named.network, named.layer});
  return swept;
}

}  // namespace

int run_layers(const std::string& kind,
               const std::function<std::string(const ConvProblem&)>& to_name,
               const std::vector<NamedProblem>& problems, const Options& options) {
  std::vector<std::unique_ptr<TimedCase>> cases;
  for (const NamedProblem& named : sweep(problems, options)) {
    // Before anything is measured: one shape too large must not end a sweep in its middle.
    require_memory(layer_bytes(named.problem.shape), to_name(named.problem));
    auto task = std::make_shared<LayerTask>();
    task->kind = kind;
    task->name = to_name(named.problem);
    task->problem = named.problem;
    task->network = named.network;
    task->layer = named.layer;
    task->seed = options.seed;
    for_each_setting(options, [&](const Implementation& implementation, const Resources& resources,
                                  Cache cache) {
      cases.push_back(std::make_unique<LayerCase>(task, implementation, resources, cache));
    });
  }
  RunFolder folder(options.out, options.argv, options.implementations);
  const SessionResult result = run_session(std::move(cases), options.session, folder);
  print_summary(result);
  return finish_run(result, folder);
}

}  // namespace xnorbench
