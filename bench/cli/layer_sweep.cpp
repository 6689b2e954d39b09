#include "bench/cli/layer_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/cases/layer_case.h"
#include "bench/measure/summary_table.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

/// All combinations of what is swept; an empty list keeps what the problem says.
std::vector<NamedProblem> sweep(const std::vector<NamedProblem>& problems, const Options& options) {
  std::vector<NamedProblem> swept;
  for (const NamedProblem& named : problems) {
    const ConvProblem& p = named.problem;
    const auto batches = options.batches.empty() ? std::vector{p.shape.batch} : options.batches;
    const auto sources = options.sources.empty() ? std::vector{p.source} : options.sources;
    const auto destinations =
        options.destinations.empty() ? std::vector{p.destination} : options.destinations;
    for (std::int64_t batch : batches)
      for (Source source : sources)
        for (Destination destination : destinations) {
          NamedProblem variant = named;
          variant.problem.shape.batch = batch;
          variant.problem.source = source;
          variant.problem.destination = destination;
          validate(variant.problem);
          if (std::none_of(swept.begin(), swept.end(),
                           [&](const auto& s) { return s.problem == variant.problem; }))
            swept.push_back(variant);
        }
  }
  return swept;
}

std::vector<ConvProblem> load_file(const std::string& file,
                                   const std::function<ConvProblem(std::string_view)>& parse) {
  std::vector<ConvProblem> problems;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty()) continue;
    try {
      problems.push_back(parse(line));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  if (problems.empty())
    throw InputError(fmt::format(
        "{}: no problems in it; expected one a line, as in ic64_ih56_oc64_kh3_ph1", file));
  return problems;
}

}  // namespace

std::vector<ConvProblem> load_problems(const std::string& shapes,
                                       const std::function<ConvProblem(std::string_view)>& parse) {
  std::error_code not_a_path;  // a long list of shapes is none
  if (std::filesystem::is_regular_file(shapes, not_a_path)) return load_file(shapes, parse);
  std::vector<ConvProblem> problems;
  try {
    for (const std::string& text : split_list("--shapes", shapes)) problems.push_back(parse(text));
  } catch (const InputError& error) {
    const bool like_a_file = shapes.find_first_of("./") != std::string::npos;
    throw InputError(
        like_a_file ? fmt::format("--shapes={}: no such file, and no problem text either", shapes)
                    : std::string(error.what()));
  }
  return problems;
}

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
  RunFolder folder(options.out, options.words, options.implementations);
  const SessionResult result = run_session(std::move(cases), options.session, folder);
  print_summary(result);
  return finish_run(result, folder);
}

}  // namespace xnorbench
