// Random parameters: repeatable, and full of values that lie exactly on a threshold.
#include "networks/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/implementation.h"
#include "networks/models/network_list.h"
#include "networks/reference_executor.h"
#include "tests/executor_check.h"

namespace xnorbench {
namespace {

bool equal(const NetworkParameters& a, const NetworkParameters& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const BatchNorm& left = a[i].batch_norm;
    const BatchNorm& right = b[i].batch_norm;
    if (a[i].weights != b[i].weights || a[i].alpha != b[i].alpha || a[i].bias != b[i].bias ||
        left.gamma != right.gamma || left.beta != right.beta || left.mean != right.mean ||
        left.variance != right.variance || left.epsilon != right.epsilon)
      return false;
  }
  return true;
}

TEST(RandomParameters, AreTheSameForASeedAndDifferBySeed) {
  const Graph graph = face_alignment(1);
  const NetworkParameters first = random_parameters(graph, 1);
  EXPECT_TRUE(equal(first, random_parameters(graph, 1)));
  const NetworkParameters second = random_parameters(graph, 2);
  EXPECT_FALSE(equal(first, second));
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const NodeKind kind = graph.node(id).kind;
    if (kind != NodeKind::convolution && kind != NodeKind::binary_convolution) continue;
    EXPECT_NE(first[id].weights, second[id].weights) << graph.node(id).name;
  }
}

TEST(RandomParameters, DoNotDependOnTheBatch) {
  EXPECT_TRUE(
      equal(random_parameters(face_alignment(1), 3), random_parameters(face_alignment(4), 3)));
}

TEST(RandomParameters, FillWhatEachKindOfNodeNeeds) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  ASSERT_EQ(parameters.size(), graph.nodes().size());
  for (NodeId id = 0; id < parameters.size(); ++id) {
    const Node& node = graph.node(id);
    const NodeParameters& p = parameters[id];
    const bool binary = node.kind == NodeKind::binary_convolution;
    const bool real = node.kind == NodeKind::convolution;
    const std::size_t channels = static_cast<std::size_t>(node.shape.channels);
    EXPECT_EQ(p.weights.size(),
              binary || real ? static_cast<std::size_t>(node.problem.shape.weight_count()) : 0U);
    EXPECT_EQ(p.alpha.size(), binary ? channels : 0U) << node.name;
    EXPECT_EQ(p.bias.size(), real ? channels : 0U) << node.name;
    const std::size_t norms = node.kind == NodeKind::batch_norm ? channels : 0U;
    for (const std::vector<float>* values :
         {&p.batch_norm.gamma, &p.batch_norm.beta, &p.batch_norm.mean, &p.batch_norm.variance})
      EXPECT_EQ(values->size(), norms) << node.name;
  }
}

TEST(RandomParameters, AlphaIsTheMeanMagnitudeOfAChannel) {
  EXPECT_EQ(mean_magnitudes({1.0F, -2.0F, 3.0F, 0.5F, 0.5F, -0.5F}, 2),
            (std::vector<float>{2.0F, 0.5F}));
  Graph graph("small", {});
  const NodeId conv = graph.binary_convolution("conv", graph.input({1, 5, 5, 33}), 65, {3, 1, 1});
  const NodeParameters p = random_parameters(graph, 1)[conv];
  for (std::size_t o = 0; o < 65; ++o) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 297; ++i) sum += std::fabs(p.weights[o * 297 + i]);
    EXPECT_EQ(p.alpha[o], static_cast<float>(sum / 297.0)) << "channel " << o;
  }
}

TEST(RandomParameters, BothSignsOfWeightsAndGammasOccur) {
  const Graph graph = face_alignment(1);
  std::size_t gammas = 0, negative_gammas = 0, weights = 0, negative_weights = 0;
  for (const NodeParameters& p : random_parameters(graph, 1)) {
    for (float gamma : p.batch_norm.gamma) negative_gammas += gamma < 0.0F;
    for (float weight : p.weights) negative_weights += weight < 0.0F;
    gammas += p.batch_norm.gamma.size();
    weights += p.weights.size();
  }
  EXPECT_NEAR(static_cast<double>(negative_gammas) / static_cast<double>(gammas), 1.0 / 8.0, 0.02);
  EXPECT_NEAR(static_cast<double>(negative_weights) / static_cast<double>(weights), 0.5, 0.01);
}

TEST(RandomParameters, ManyBatchNormOutputsOfTheHourglassAreExactlyZero) {
  const Graph graph = face_alignment(1);
  const std::vector<std::vector<NodeId>> consumers = graph.consumers();
  const auto tensors = run_reference_tensors(graph, random_parameters(graph, 1),
                                             random_input(graph, 1), FloatBackend::direct, 2);
  std::size_t zeros = 0, values = 0, layers_with_zeros = 0, after_sums = 0;
  for (NodeId id = 0; id < tensors.size(); ++id) {
    const Node& node = graph.node(id);
    if (node.kind != NodeKind::batch_norm) continue;
    if (graph.node(consumers[id][0]).kind != NodeKind::binary_convolution) continue;
    const auto here =
        static_cast<std::size_t>(std::count(tensors[id].begin(), tensors[id].end(), 0.0F));
    zeros += here;
    values += tensors[id].size();
    layers_with_zeros += here > 0;
    if (graph.node(node.inputs[0]).kind == NodeKind::binary_convolution) after_sums += here;
  }
  std::printf(
      "%zu of %zu batch-norm outputs before a sign are exactly 0, %zu of them of a sum; %zu layers "
      "have one\n",
      zeros, values, after_sums, layers_with_zeros);
  EXPECT_GT(zeros, 10'000U);
  EXPECT_GT(after_sums, 10'000U);
  EXPECT_GT(layers_with_zeros, 30U);
}

Graph small_network(ZeroRule rule) {
  Graph graph("small", {PadValue::minus_one, rule});
  NodeId x = graph.input({1, 8, 8, 16});
  for (const char* name : {"one", "two", "three"})
    x = graph.binary_convolution(name, graph.batch_norm(std::string(name) + ".bn", x), 32,
                                 {3, 1, 1});
  return graph;
}

TEST(RandomParameters, TheRuleForZeroDecidesTheOutput) {
  const Graph minus = small_network(ZeroRule::minus);
  const Graph plus = small_network(ZeroRule::plus);
  const NetworkParameters parameters = random_parameters(minus, 1);
  const std::vector<float> input = random_input(minus, 1);
  const std::vector<float> minus_output =
      run_reference(minus, parameters, input, FloatBackend::direct, 1);
  const std::vector<float> plus_output =
      run_reference(plus, parameters, input, FloatBackend::direct, 1);
  std::size_t different = 0;
  for (std::size_t i = 0; i < minus_output.size(); ++i)
    different += minus_output[i] != plus_output[i];
  EXPECT_GT(different, minus_output.size() / 10);

  for (const Implementation* implementation : host_implementations()) {
    if (!supports_network(minus, *implementation, FloatBackend::direct, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    ExecutorCheck(minus, parameters, *implementation, FloatBackend::direct, 1)
        .expect_output(input, minus_output, Runs::all);
    ExecutorCheck(plus, parameters, *implementation, FloatBackend::direct, 1)
        .expect_output(input, plus_output, Runs::all);
  }
}

}  // namespace
}  // namespace xnorbench
