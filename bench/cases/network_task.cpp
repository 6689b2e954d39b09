#include "bench/cases/network_task.h"

#include <fmt/format.h>

#include "bench/cases/tensor_files.h"
#include "core/memory.h"
#include "networks/reference_executor.h"

namespace xnorbench {

const std::vector<float>& NetworkTask::expected(FloatBackend float_backend, int threads) {
  if (expected_.empty() || expected_float_backend_ != float_backend ||
      expected_threads_ != threads) {
    expected_ = run_reference(graph, parameters, input, float_backend, threads);
    expected_float_backend_ = float_backend;
    expected_threads_ = threads;
  }
  return expected_;
}

const ReferenceTensors& NetworkTask::expected_tensors(FloatBackend float_backend, int threads) {
  if (!expected_tensors_.empty()) return expected_tensors_;
  std::size_t bytes = 0;
  for (const Node& node : graph.nodes())
    bytes += static_cast<std::size_t>(node.shape.count()) * sizeof(float);
  require_memory(bytes, "the reference's tensors of " + graph.name());
  return expected_tensors_ =
             run_reference_tensors(graph, parameters, input, float_backend, threads);
}

std::shared_ptr<NetworkTask> make_planning_task(const NetworkSource& network, std::int64_t batch,
                                                std::uint64_t seed) {
  return std::make_shared<NetworkTask>(network.build(batch), "", std::vector<float>{}, seed);
}

std::shared_ptr<NetworkTask> make_network_task(const NetworkSource& network, std::int64_t batch,
                                               const std::string& input, std::uint64_t seed) {
  Graph graph = network.build(batch);
  // The portrait has 3 channels; other networks get random numbers.
  const char* default_input = graph.input_shape().channels == 3 ? "portrait" : "random";
  const std::string source = input.empty() ? default_input : input;
  // Weights, the float copy of an implementation, inputs, and the tensors of the reference executor
  // (more than an implementation's).
  const auto weights =
      static_cast<std::size_t>(count(graph).binary_weights + count(graph).real_weights);
  const auto ends =
      static_cast<std::size_t>(graph.input_shape().count() + graph.output_shape().count());
  require_memory((2 * weights + 2 * ends) * sizeof(float) + reference_bytes(graph),
                 fmt::format("{} at batch {}", graph.name(), batch));
  std::vector<float> values = load_input(source, graph.input_shape(), seed);
  auto task = std::make_shared<NetworkTask>(std::move(graph), source, std::move(values), seed);
  network.load_parameters(task->graph, task->parameters);
  return task;
}

}  // namespace xnorbench
