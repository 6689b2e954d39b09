// Graphs: what the papers count of a network, its shapes, and what a builder says about wrong
// shapes.
#include "networks/graph.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

std::string error_of(const std::function<void()>& build) {
  try {
    build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Expects an InputError whose text holds all of `parts`.
void expect_error(const std::function<void()>& build, const std::vector<std::string>& parts) {
  const std::string message = error_of(build);
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
}

TEST(FaceAlignment, CountsConvolutionsAndWeightsAsThePaper) {
  const NetworkCounts counts = count(face_alignment(1));
  EXPECT_EQ(counts.binary_convolutions, 53);
  EXPECT_EQ(counts.binary_convolutions + counts.real_convolutions, 56);
  EXPECT_EQ(counts.binary_weights, 6'141'952);
  EXPECT_EQ(counts.real_weights, 92'352);
  EXPECT_EQ(counts.binary_weights + counts.real_weights, 6'234'304);
  EXPECT_EQ(counts.batch_norm_channels, 7'488);
  EXPECT_EQ(counts.biases, 388);
}

TEST(FaceAlignment, CountsMultiplyAccumulatesWithPaddingTaps) {
  const NetworkCounts counts = count(face_alignment(1));
  EXPECT_NEAR(static_cast<double>(counts.macs()) * 1e-9, 8.268, 0.0005);
  EXPECT_NEAR(static_cast<double>(counts.binary_macs) * 1e-9, 7.774, 0.0005);
}

TEST(FaceAlignment, PackedModelHasThePublishedSize) {
  const NetworkCounts counts = count(face_alignment(1));
  EXPECT_EQ(counts.packed_bytes(), 767'744);
  EXPECT_EQ(counts.packed_and_alpha_bytes(), 785'664);
  EXPECT_EQ(counts.model_bytes(), 1'276'432);
}

TEST(FaceAlignment, MultiplyAccumulatesGrowWithTheBatchAndWeightsDoNot) {
  const NetworkCounts one = count(face_alignment(1));
  const NetworkCounts three = count(face_alignment(3));
  EXPECT_EQ(three.macs(), 3 * one.macs());
  EXPECT_EQ(three.binary_macs, 3 * one.binary_macs);
  EXPECT_EQ(three.model_bytes(), one.model_bytes());
}

TEST(FaceAlignment, MapsAnImageTo68Heatmaps) {
  const Graph graph = face_alignment(2);
  EXPECT_EQ(graph.input_shape(), (TensorShape{2, 256, 256, 3}));
  EXPECT_EQ(graph.output_shape(), (TensorShape{2, 64, 64, 68}));
}

TEST(FaceAlignment, HasThirteenHourglassBlocksAndFourOthers) {
  const Graph graph = face_alignment(1);
  std::map<std::int64_t, int> blocks, hourglass_blocks;  // by resolution
  for (const Node& node : graph.nodes()) {
    if (node.kind != NodeKind::concat) continue;
    EXPECT_EQ(node.inputs.size(), 3U) << node.name;
    ++blocks[node.shape.height];
    if (node.name.starts_with("hourglass")) ++hourglass_blocks[node.shape.height];
  }
  const std::map<std::int64_t, int> expected{{128, 1}, {64, 4}, {32, 3}, {16, 3}, {8, 3}, {4, 3}};
  const std::map<std::int64_t, int> expected_hourglass{{64, 1}, {32, 3}, {16, 3}, {8, 3}, {4, 3}};
  EXPECT_EQ(blocks, expected);
  EXPECT_EQ(hourglass_blocks, expected_hourglass);
}

TEST(FaceAlignment, BinaryLayersPadMinusOneAndTakeZeroAsMinus) {
  const Graph graph = face_alignment(1);
  for (const Node& node : graph.nodes()) {
    if (node.kind != NodeKind::binary_convolution) continue;
    EXPECT_EQ(node.problem.pad_value, PadValue::minus_one) << node.name;
    EXPECT_EQ(node.problem.zero_rule, ZeroRule::minus) << node.name;
  }
}

TEST(FaceAlignmentReal, HasTheSameConvolutionsAllReal) {
  const Graph binary = face_alignment(1);
  const Graph real = face_alignment_real(1);
  std::map<std::string, ConvShape> expected, found;
  for (const Node& node : binary.nodes())
    if (node.kind == NodeKind::convolution || node.kind == NodeKind::binary_convolution)
      expected[node.name] = node.problem.shape;
  for (const Node& node : real.nodes()) {
    EXPECT_NE(node.kind, NodeKind::binary_convolution) << node.name;
    if (node.kind != NodeKind::convolution) continue;
    found[node.name] = node.problem.shape;
    EXPECT_EQ(node.problem.pad_value, PadValue::zero) << node.name;
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), 56U);

  const NetworkCounts counts = count(real);
  EXPECT_EQ(counts.real_convolutions, 56);
  EXPECT_EQ(counts.real_weights, 6'234'304);
  EXPECT_EQ(counts.macs(), count(binary).macs());
  EXPECT_EQ(counts.alphas, 0);
  EXPECT_EQ(real.output_shape(), binary.output_shape());
}

TEST(NetworkList, FindsNetworksByName) {
  for (const NetworkEntry& entry : all_networks()) EXPECT_EQ(entry.build(1).name(), entry.name);
  EXPECT_EQ(find_networks("face_alignment").size(), 1U);
  EXPECT_EQ(find_networks("face_*").size(), 2U);
  expect_error([] { find_networks("face_alignmant"); }, {"face_alignmant", "face_alignment_real"});
}

TEST(Graph, ComputesTheShapeOfEveryKindOfNode) {
  Graph graph("shapes", {});
  const NodeId x = graph.input({2, 9, 7, 3});
  const NodeId strided = graph.convolution("strided", x, 5, {3, 2, 1});
  EXPECT_EQ(graph.node(strided).shape, (TensorShape{2, 5, 4, 5}));
  const NodeId binary = graph.binary_convolution("binary", x, 65, {3, 1, 0});
  EXPECT_EQ(graph.node(binary).shape, (TensorShape{2, 7, 5, 65}));
  const NodeId pooled = graph.average_pool("pool", x);
  EXPECT_EQ(graph.node(pooled).shape, (TensorShape{2, 4, 3, 3}));
  const NodeId large = graph.upsample("upsample", pooled);
  EXPECT_EQ(graph.node(large).shape, (TensorShape{2, 8, 6, 3}));
  const NodeId wide = graph.concat("concat", {x, graph.batch_norm("bn", x), graph.relu("relu", x)});
  EXPECT_EQ(graph.node(wide).shape, (TensorShape{2, 9, 7, 9}));
  EXPECT_EQ(graph.node(graph.add("add", x, x)).shape, graph.node(x).shape);
  EXPECT_EQ(graph.output(), graph.nodes().size() - 1);
  EXPECT_EQ(graph.input(), 0U);
}

TEST(Graph, ListsTheConsumersOfEveryNodeInOrder) {
  Graph graph("consumers", {});
  const NodeId x = graph.input({1, 4, 4, 2});
  const NodeId twice = graph.add("twice", x, x);
  const NodeId norm = graph.batch_norm("norm", x);
  const NodeId last = graph.concat("last", {norm, twice, x});
  const std::vector<std::vector<NodeId>> expected{{twice, twice, norm, last}, {last}, {last}, {}};
  EXPECT_EQ(graph.consumers(), expected);
}

TEST(Graph, ShapeErrorsNameNetworkAndLayer) {
  Graph graph("broken_network", {PadValue::minus_one, ZeroRule::minus});
  const NodeId x = graph.input({1, 5, 4, 3});
  const NodeId wide = graph.convolution("wide", x, 4, {1, 1, 0});
  const NodeId small = graph.average_pool("small", x);
  const NodeId row = graph.convolution("row", x, 3, {4, 1, 0});
  const NodeId strided = graph.convolution("strided", x, 3, {1, 2, 0});
  const std::size_t nodes = graph.nodes().size();

  expect_error([&] { graph.add("sum", x, wide); }, {"broken_network", "sum", "5x4x3", "5x4x4"});
  expect_error([&] { graph.add("sum2", x, small); }, {"broken_network", "sum2", "5x4x3", "2x2x3"});
  expect_error(
      [&] {
        graph.concat("join", {x, wide, small});
      },
      {"broken_network", "join", "5x4", "2x2"});
  expect_error(
      [&] {
        graph.concat("join2", {small, row});
      },
      {"broken_network", "join2", "2x2", "2x1"});
  expect_error(
      [&] {
        graph.concat("join3", {small, strided});
      },
      {"broken_network", "join3", "2x2", "3x2"});
  expect_error([&] { graph.add("sum3", small, row); },
               {"broken_network", "sum3", "2x2x3", "2x1x3"});
  expect_error([&] { graph.add("sum4", small, strided); },
               {"broken_network", "sum4", "2x2x3", "3x2x3"});
  expect_error([&] { graph.average_pool("pool", row); }, {"broken_network", "pool", "2x1"});
  expect_error(
      [&] {
        graph.convolution("large", x, 4, {7, 1, 1});
      },
      {"broken_network", "large", "7"});
  expect_error(
      [&] {
        graph.binary_convolution("large2", small, 4, {3, 1, 0});
      },
      {"broken_network", "large2", "3"});
  expect_error(
      [&] {
        graph.binary_convolution("none", x, 0, {1, 1, 0});
      },
      {"broken_network", "none", "oc"});
  expect_error(
      [&] {
        graph.convolution("still", x, 1, {1, 0, 0});
      },
      {"broken_network", "still", "sh"});

  EXPECT_EQ(graph.nodes().size(), nodes) << "a node that does not fit must not stay in the graph";
}

}  // namespace
}  // namespace xnorbench
