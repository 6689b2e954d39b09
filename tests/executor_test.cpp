// The fused executor gives the reference executor's bits on graphs of every form.
#include "networks/compile/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/error.h"
#include "networks/compile/fusion.h"
#include "tests/executor_check.h"
#include "tests/random_graph.h"

namespace xnorbench {
namespace {

constexpr FloatBackend all_float_backends[] = {FloatBackend::direct, FloatBackend::onednn,
                                               FloatBackend::openblas, FloatBackend::torch};

/// Compares every implementation that supports the graph, and counts them by name.
void check_all_implementations(const Graph& graph, const std::vector<float>& input,
                               std::uint64_t seed, FloatBackend asked, int threads,
                               std::map<std::string, int>& runs) {
  const NetworkParameters parameters = random_parameters(graph, seed);
  std::map<FloatBackend, std::vector<float>> expected;
  for (const Implementation* implementation : host_implementations()) {
    if (!supports_network(graph, *implementation, asked, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name + ", " + to_string(asked) + ", " +
                 std::to_string(threads) + " threads");
    const FloatBackend real = effective_float_backend(graph, *implementation, asked);
    if (!expected.contains(real))
      expected[real] = run_reference(graph, parameters, input, real, threads);
    // The plain loops are slow, and so are threads on small graphs: less often there.
    const bool fast = threads == 1 && real != FloatBackend::direct &&
                      implementation->info().name != "cpu_f32_direct";
    ExecutorCheck(graph, parameters, *implementation, asked, threads)
        .expect_output(input, expected[real], fast ? Runs::all : Runs::once_and_accounted);
    ++runs[implementation->info().name];
  }
}

TEST(Executor, FusedRandomGraphsGiveTheReferenceBits) {
  std::map<std::string, int> runs;
  constexpr std::uint64_t graphs = 400;
  for (std::uint64_t seed = 1; seed <= graphs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const FloatBackend real = all_float_backends[seed % std::size(all_float_backends)];
    if (!available(real)) continue;
    const Graph graph = RandomGraph(seed).build("random");
    const std::vector<float> input = random_input(graph, seed);
    check_all_implementations(graph, input, seed, real, 1, runs);
    if (seed % 20 == 0) check_all_implementations(graph, input, seed, real, 2, runs);
  }
  for (const auto& [name, count] : runs) {
    RecordProperty(name, count);
    EXPECT_GT(count, 300) << name << " supports too few of the random graphs";
  }
  EXPECT_GE(runs.size(), 3U);
}

TEST(Executor, RandomGraphsHoldEveryKindOfNodeAndFusion) {
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Graph graph = RandomGraph(seed).build("random");
    const Fusion fusion = find_fusions(graph, *find_implementations("cpu_xnor_swar")[0]);
    for (NodeId id = 0; id < graph.nodes().size(); ++id) {
      const Node& node = graph.node(id);
      ++counts[to_string(node.kind)];
      if (fusion.folded[id]) ++counts["folded " + to_string(node.kind)];
      if (fusion.epilogue_norm[id]) ++counts["epilogue_norm"];
      if (fusion.added_in_place[id]) ++counts["added_in_place"];
      if (fusion.slice[id])
        ++counts["slice " + to_string(node.kind) + (fusion.slice[id]->addend ? " added" : "")];
    }
  }
  for (const char* form :
       {"input", "convolution", "binary_convolution", "batch_norm", "relu", "average_pool",
        "upsample", "concat", "add", "folded batch_norm", "folded upsample", "epilogue_norm",
        "added_in_place", "slice binary_convolution", "slice binary_convolution added",
        "slice convolution", "slice convolution added"})
    EXPECT_GE(counts[form], 20) << form;
}

TEST(Executor, NotANumberIsMinusOneAndReluMakesItZero) {
  for (ZeroRule rule : {ZeroRule::plus, ZeroRule::minus}) {
    Graph graph("not_a_number", {PadValue::zero, rule});
    const NodeId x = graph.input({1, 5, 5, 65});
    const NodeId plain = graph.binary_convolution("plain", x, 33, {3, 1, 1});
    const NodeId normalised =
        graph.binary_convolution("normalised", graph.batch_norm("norm", x), 33, {3, 1, 1});
    const NodeId positive = graph.relu("relu", graph.batch_norm("norm2", x));
    graph.concat("concat", {plain, normalised, positive, graph.relu("relu2", x)});
    std::vector<float> input = random_input(graph, 1);
    for (std::size_t i = 0; i < input.size(); i += 5)
      input[i] = std::numeric_limits<float>::quiet_NaN();
    std::map<std::string, int> runs;
    check_all_implementations(graph, input, 1, FloatBackend::direct, 1, runs);
    EXPECT_GE(runs.size(), 3U);
    const auto tensors =
        run_reference_tensors(graph, random_parameters(graph, 1), input, FloatBackend::direct, 1);
    for (float value : tensors.back()) EXPECT_EQ(value, value);
  }
}

TEST(Executor, NetworksWithoutBinaryLayersRunOnTheLibraryOfAFloatImplementation) {
  Graph graph("all_real", {});
  graph.convolution("conv", graph.relu("relu", graph.input({1, 6, 6, 8})), 16, {3, 1, 1});
  const Machine& machine = this_machine();
  for (const Implementation* implementation : host_implementations()) {
    if (!implementation->available(machine)) continue;
    const Support support = supports_network(graph, *implementation, FloatBackend::direct, machine);
    const std::string& name = implementation->info().name;
    if (!float_backend_of(*implementation)) {
      EXPECT_EQ(support.status, Support::Status::unsupported) << name;
      EXPECT_NE(support.reason.find("all_real"), std::string::npos) << support.reason;
      continue;
    }
    EXPECT_TRUE(support) << name << ": " << support.reason;
    EXPECT_EQ("cpu_f32_" +
                  to_string(effective_float_backend(graph, *implementation, FloatBackend::direct)),
              name);
  }
}

TEST(Executor, ThePlainKernelOfADeviceTakesTheRealLayersOfThatDevice) {
  Graph graph("half_real", {});
  graph.binary_convolution(
      "binary", graph.convolution("real", graph.input({1, 6, 6, 8}), 16, {3, 1, 1}), 16, {});
  // Not those of cpu_f32_direct, which are called direct as well.
  const Implementation& direct = *find_implementations("cuda_f32_direct")[0];
  EXPECT_EQ(float_backend_of(direct), std::nullopt);
  EXPECT_EQ(effective_float_backend(graph, direct, FloatBackend::direct), FloatBackend::cublas);
  EXPECT_EQ(effective_float_backend(graph, direct, FloatBackend::onednn), FloatBackend::cublas);
  EXPECT_EQ(effective_float_backend(graph, direct, FloatBackend::cudnn), FloatBackend::cudnn);
}

TEST(Executor, AnUnsupportedLayerIsNamed) {
  Graph graph("too_wide", {});
  // 2^24 signs have sums that float cannot hold exactly.
  graph.binary_convolution("wide", graph.input({1, 1, 1, std::int64_t{1} << 25}), 1, {});
  const Implementation& direct = *find_implementations("cpu_f32_direct")[0];
  const Support support = supports_network(graph, direct, FloatBackend::direct, this_machine());
  EXPECT_EQ(support.status, Support::Status::unsupported);
  EXPECT_NE(support.reason.find("wide"), std::string::npos) << support.reason;
}

TEST(Executor, EveryStepReadsWhatAnEarlierStepWroteAndInputAndOutputShareNoBytes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Graph graph = RandomGraph(seed).build("random");
    Ledger ledger;
    Context context{ledger, 1};
    const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
    if (!supports_network(graph, swar, FloatBackend::direct, this_machine())) continue;
    const Program program =
        compile(graph, random_parameters(graph, seed), swar, FloatBackend::direct, context);
    std::vector<bool> written(program.buffers.size(), false);
    written[program.input] = true;
    for (const Step& step : program.steps) {
      for (BufferId id : step.reads)
        EXPECT_TRUE(written[id]) << "seed " << seed << ", step " << step.name;
      for (BufferId id : step.writes) written[id] = true;
    }
    EXPECT_TRUE(written[program.output]) << "seed " << seed;
    for (const ProgramBuffer& buffer : program.buffers) {
      if (!buffer.same_as) continue;
      EXPECT_FALSE(buffer.external || program.buffers[*buffer.same_as].external)
          << "seed " << seed << ": " << buffer.layer
          << " is computed in place of the network's input or output";
      EXPECT_EQ(buffer.bytes, program.buffers[*buffer.same_as].bytes)
          << "seed " << seed << ": " << buffer.layer;
    }
  }
}

/// The signs of one batch norm come from the sums, those of the other from the values: neither
/// needs the tensor.
TEST(Executor, KeepsATensorOnlyIfMoreThanItsSignsIsRead) {
  const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
  for (bool with_relu : {false, true}) {
    Graph graph("two_norms", {});
    const NodeId both = graph.binary_convolution("both", graph.input({1, 6, 6, 16}), 24, {3, 1, 1});
    NodeId sum = graph.add(
        "sum", graph.binary_convolution("left", graph.batch_norm("left.bn", both), 24, {3, 1, 1}),
        graph.binary_convolution("right", graph.batch_norm("right.bn", both), 24, {1, 1, 0}));
    if (with_relu) sum = graph.add("sum2", sum, graph.relu("relu", both));
    Ledger ledger;
    Context context{ledger, 1};
    const Program program =
        compile(graph, random_parameters(graph, 1), swar, FloatBackend::direct, context);
    const auto kept = std::count_if(
        program.buffers.begin(), program.buffers.end(), [](const ProgramBuffer& buffer) {
          return buffer.layer == "both" && buffer.kind == BufferKind::tensor;
        });
    EXPECT_EQ(kept, with_relu ? 1 : 0);
  }
}

TEST(Executor, RefusesALayerThatNothingReadsAndAGraphWithoutLayers) {
  const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
  Ledger ledger;
  Context context{ledger, 1};
  auto message = [&](const Graph& graph) -> std::string {
    try {
      compile(graph, random_parameters(graph, 1), swar, FloatBackend::direct, context);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };

  Graph unread("unread", {});
  const NodeId x = unread.input({1, 4, 4, 8});
  unread.binary_convolution("dead", x, 4, {1, 1, 0});
  unread.relu("out", x);
  EXPECT_NE(message(unread).find("nothing reads layer dead"), std::string::npos) << message(unread);

  Graph empty("empty", {});
  empty.input({1, 4, 4, 8});
  EXPECT_NE(message(empty).find("no layer"), std::string::npos) << message(empty);
  EXPECT_THROW(empty.concat("none", {}), InputError);
}

}  // namespace
}  // namespace xnorbench
