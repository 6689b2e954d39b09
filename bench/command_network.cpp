#include <fmt/format.h>

#include "bench/commands.h"
#include "bench/map_files.h"
#include "bench/network_case.h"
#include "bench/npy.h"
#include "bench/progress.h"
#include "bench/summary_table.h"
#include "core/error.h"
#include "networks/network_list.h"
#include "networks/reference_executor.h"

namespace xnorbench {
namespace {

std::shared_ptr<NetworkTask> make_task(const NetworkEntry& entry, std::int64_t batch, const Options& options) {
  const std::string source = options.input.empty() ? "portrait" : options.input;
  Graph graph = entry.build(batch);
  // Weights, the float copy of an implementation, inputs, and the maps of the reference executor (more
  // than an implementation's).
  const auto weights = static_cast<std::size_t>(count(graph).binary_weights + count(graph).real_weights);
  const auto ends = static_cast<std::size_t>(graph.input_shape().count() + graph.output_shape().count());
  require_memory((2 * weights + 2 * ends) * sizeof(float) + reference_bytes(graph),
                 fmt::format("{} at batch {}", entry.name, batch));
  std::vector<float> input = load_input(source, graph.input_shape(), options.seed);
  return std::make_shared<NetworkTask>(std::move(graph), source, std::move(input), options.seed);
}

/// The first implementation that can run it, once, for --output.
void write_output(const Options& options, const std::shared_ptr<NetworkTask>& task) {
  for (const Implementation* implementation : options.implementations) {
    NetworkCase run(task, *implementation, options.real_layers, options.threads.front(), Cache::hot, false);
    if (!run.support()) continue;
    run.prepare();
    run.run();
    write_npy(options.output, task->graph.output_shape(), run.output());
    fmt::print("output of {} ({}) written to {}\n", implementation->info().name, run.output_hash(), options.output);
    return;
  }
  throw InputError(fmt::format("--output={}: none of the implementations runs {}", options.output, task->graph.name()));
}

}  // namespace

int run_network(const Options& options) {
  const std::vector<const NetworkEntry*> networks =
      find_networks(options.networks.empty() ? "face_alignment" : options.networks);
  const std::vector<std::int64_t> batches = options.batches.empty() ? std::vector<std::int64_t>{1} : options.batches;
  if (!options.output.empty() && (networks.size() > 1 || batches.size() > 1))
    throw InputError("--output holds one map; give one network and one batch");
  if (!options.output.empty()) require_writable(options.output);

  std::vector<std::unique_ptr<TimedCase>> cases;
  std::shared_ptr<NetworkTask> task;
  for (const NetworkEntry* entry : networks)
    for (std::int64_t batch : batches) {
      task = make_task(*entry, batch, options);
      for (int threads : options.threads)
        for (Cache cache : options.caches)
          for (const Implementation* implementation : options.implementations)
            cases.push_back(std::make_unique<NetworkCase>(task, *implementation, options.real_layers, threads, cache,
                                                          options.profile));
    }
  RunFolder folder(options.out, options.words);
  const SessionResult result = run_session(std::move(cases), options.session, folder);
  print_summary(result);
  if (!options.output.empty() && result.any_wrong) print_note("a result was wrong: --output is not written");
  if (!options.output.empty() && !result.interrupted && !result.any_wrong) write_output(options, task);
  return finish_run(result, folder);
}

}  // namespace xnorbench
