// Networks on a GPU against the reference on the CPU.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "networks/compile/device_check.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"
#include "networks/reference_executor.h"
#include "tests/cuda_fixture.h"
#include "tests/executor_check.h"
#include "tests/random_graph.h"

namespace xnorbench {
namespace {

using CudaNetworks = CudaTest;

/// Everything that can be asked of a network on the device.
void check_network(const Graph& graph, const std::string& implementations, std::uint64_t seed,
                   std::map<std::string, int>& runs) {
  const NetworkParameters parameters = random_parameters(graph, seed);
  const std::vector<float> input = random_input(graph, seed);
  ReferenceTensors reference;
  for (const Implementation* implementation : find_implementations(implementations)) {
    if (!supports_network(graph, *implementation, FloatBackend::direct, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    if (reference.empty())
      reference = run_reference_tensors(graph, parameters, input, FloatBackend::direct, 1);
    Ledger ledger(implementation->device());
    Context context{ledger, 1};
    Executor executor(graph, parameters, *implementation, FloatBackend::direct, context);
    executor.set_input(input);
    executor.run_accounted();
    EXPECT_EQ(ledger.peak(), executor.plan().total) << "memory by category";
    const std::vector<float> first = executor.output();
    EXPECT_EQ(check_with_reference_real_layers(executor, graph, parameters, reference), "");
    const Deviation deviation = measure_deviation(executor, graph, reference);
    // A flipped sign may change a small network by anything.
    if (deviation.flipped_signs == 0) {
      EXPECT_LE(deviation.largest_difference, 1e-4 * deviation.largest_value + 1e-6);
    }
    executor.run();
    EXPECT_EQ(std::memcmp(first.data(), executor.output().data(), first.size() * sizeof(float)), 0)
        << "run() gives what run_accounted() gave";
    EXPECT_EQ(std::memcmp(input.data(), executor.input().data(), input.size() * sizeof(float)), 0)
        << "input changed";
    EXPECT_EQ(executor.run_profiled().size(), executor.program().steps.size());
    ++runs[implementation->info().name];
  }
}

TEST_F(CudaNetworks, RandomGraphsAreTheReferenceUpToRealLayers) {
  std::map<std::string, int> runs;
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check_network(RandomGraph(seed).build("random"), "cuda_*", seed, runs);
  }
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"}) EXPECT_GT(runs[name], 30) << name;
}

TEST_F(CudaNetworks, TheHourglassIsTheReferenceUpToItsRealLayers) {
  std::map<std::string, int> runs;
  check_network(face_alignment(1), "cuda_xnor_popc", 1, runs);
  EXPECT_EQ(runs["cuda_xnor_popc"], 1);
}

TEST_F(CudaNetworks, OfRealLayersAloneRunOnTheLibraries) {
  Graph graph("all_real", {});
  graph.convolution("conv", graph.input({1, 6, 6, 8}), 16, {3, 1, 1});
  for (const Implementation* implementation : find_implementations("cuda_f32_*")) {
    const std::string& name = implementation->info().name;
    EXPECT_EQ(bool(supports_network(graph, *implementation, FloatBackend::direct, this_machine())),
              name != "cuda_f32_direct")
        << name;
  }
}

TEST_F(CudaNetworks, AChangedSignOrValueIsSeen) {
  Graph graph("small", {});
  const NodeId x = graph.binary_convolution("binary", graph.input({1, 6, 6, 16}), 32, {3, 1, 1});
  graph.convolution("real", x, 8, {1, 1, 0});
  const NetworkParameters parameters = random_parameters(graph, 1);
  const std::vector<float> input = random_input(graph, 1);
  const ReferenceTensors right =
      run_reference_tensors(graph, parameters, input, FloatBackend::direct, 1);
  const Implementation& popc = *find_implementations("cuda_xnor_popc")[0];
  if (!supports_network(graph, popc, FloatBackend::direct, this_machine()))
    GTEST_SKIP() << "no real layers here";
  Ledger ledger(popc.device());
  Context context{ledger, 1};
  Executor executor(graph, parameters, popc, FloatBackend::direct, context);
  executor.set_input(input);
  auto message_with = [&](NodeId node, std::size_t element, float difference) {
    ReferenceTensors wrong = right;
    wrong[node][element] += difference;
    return check_with_reference_real_layers(executor, graph, parameters, wrong);
  };
  EXPECT_EQ(check_with_reference_real_layers(executor, graph, parameters, right), "");
  EXPECT_NE(message_with(0, 17, right[0][17] > 0 ? -10.0F : 10.0F).find("1 of 576 signs"),
            std::string::npos);
  EXPECT_NE(message_with(1, 100, 1e-3F).find("what layer real reads"), std::string::npos);
  EXPECT_NE(message_with(2, 100, 10.0F).find("real layer real: differs"), std::string::npos);
}

}  // namespace
}  // namespace xnorbench
