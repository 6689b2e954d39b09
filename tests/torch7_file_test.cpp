// Computed sizes of .t7 files against those of files that Torch7 wrote (torch7 814ea4a, nn 8726825,
// bnn.torch); a network's parameters have no part in them.
#include "networks/torch7/torch7_file.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

Graph hourglass_rules() { return Graph("file", {PadValue::minus_one, ZeroRule::minus}); }

/// Of 32 channels to 128, as the hourglass has them.
Graph hierarchical_block() {
  Graph graph = hourglass_rules();
  const NodeId x = graph.input({2, 7, 5, 32});
  const NodeId first = normalised_layer(graph, LayerKind::binary, "conv1", x, 64, {3, 1, 1});
  const NodeId second = normalised_layer(graph, LayerKind::binary, "conv2", first, 32, {3, 1, 1});
  const NodeId third = normalised_layer(graph, LayerKind::binary, "conv3", second, 32, {3, 1, 1});
  const NodeId joined = graph.concat("concat", {first, second, third});
  graph.add("add", joined,
            normalised_layer(graph, LayerKind::binary, "shortcut", x, 128, {1, 1, 0}));
  return graph;
}

Graph binary_layer(std::int64_t in_channels, std::int64_t out_channels, const Window& window) {
  Graph graph = hourglass_rules();
  graph.binary_convolution("conv", graph.input({1, 9, 9, in_channels}), out_channels, window);
  return graph;
}

TEST(Torch7File, HourglassForFacesIsToTheByteWhatTorch7Wrote) {
  EXPECT_EQ(torch7_file_bytes(face_alignment(1)), 1'462'588);
  EXPECT_EQ(torch7_file_bytes(face_alignment(1), {.backend = Torch7Backend::cuda_nn}), 1'461'074);
  EXPECT_EQ(torch7_file_bytes(face_alignment(1), {.backend = Torch7Backend::cuda_cudnn}),
            1'461'254);
}

TEST(Torch7File, RealCounterpartOfTheHourglassWithGradientsHas50Point26Megabytes) {
  const Graph hourglass = face_alignment(1);
  const auto megabytes = [&](bool gradients) {
    return static_cast<double>(torch7_file_bytes(
               hourglass, {.binary = Torch7Binary::real, .gradients = gradients})) /
           1e6;
  };
  EXPECT_NEAR(megabytes(true), 50.26, 0.005);
  EXPECT_NEAR(megabytes(false), 25.25, 0.005);
}

TEST(Torch7File, BlockOfTheHourglass) {
  const Graph block = hierarchical_block();
  EXPECT_EQ(torch7_file_bytes(block), 21'899);
  EXPECT_EQ(torch7_file_bytes(block, {.backend = Torch7Backend::cuda_nn}), 21'804);
  EXPECT_EQ(torch7_file_bytes(block, {.backend = Torch7Backend::cuda_cudnn}), 21'816);
  EXPECT_EQ(torch7_file_bytes(block, {.binary = Torch7Binary::trained, .has_run = false}), 219'407);
}

TEST(Torch7File, SinglePackedConvolutions) {
  const Torch7Options cuda{.backend = Torch7Backend::cuda_nn};
  EXPECT_EQ(torch7_file_bytes(binary_layer(96, 40, {1, 1, 0})), 1'982);
  EXPECT_EQ(torch7_file_bytes(binary_layer(96, 40, {1, 1, 0}), cuda), 1'978);
  EXPECT_EQ(torch7_file_bytes(binary_layer(32, 17, {3, 1, 0})), 2'022);
  EXPECT_EQ(torch7_file_bytes(binary_layer(32, 17, {3, 1, 0}), cuda), 2'018);
  EXPECT_EQ(torch7_file_bytes(binary_layer(64, 32, {3, 1, 1})), 3'774);
  EXPECT_EQ(torch7_file_bytes(binary_layer(64, 32, {3, 1, 1}), cuda), 3'770);
}

TEST(Torch7File, SingleModules) {
  struct Case {
    std::string name;
    std::function<void(Graph&, NodeId)> build;
    std::int64_t bytes;
  };
  const std::vector<Case> cases{
      {"conv_bias",
       [](Graph& g, NodeId x) {
         g.convolution("conv", x, 5, {3, 1, 1});
       },
       2'930},
      {"bn_affine", [](Graph& g, NodeId x) { g.batch_norm("bn", x); }, 1'589},
      {"avgpool", [](Graph& g, NodeId x) { g.average_pool("pool", x); }, 742},
      {"maxpool",
       [](Graph& g, NodeId x) {
         g.max_pool("pool", x, {3, 2, 1, 1});
       },
       802},
      {"upsample", [](Graph& g, NodeId x) { g.upsample("upsample", x); }, 748},
  };
  for (const Case& module : cases) {
    Graph graph("module", {});
    module.build(graph, graph.input({2, 9, 7, 4}));
    EXPECT_EQ(torch7_file_bytes(graph, {.gradients = true}), module.bytes) << module.name;
  }
}

TEST(Torch7File, StemOfRealLayers) {
  Graph graph("stem", {});
  const NodeId x = graph.convolution("conv", graph.input({1, 16, 16, 3}), 8, {7, 2, 3});
  graph.relu("relu", graph.batch_norm("bn", x));
  EXPECT_EQ(torch7_file_bytes(graph, {.gradients = true}), 12'661);
}

TEST(Torch7File, RealCounterpartOfABinaryLayerHasNoBias) {
  Graph graph("mini_hourglass", {});
  const NodeId x = graph.input({1, 8, 8, 4});
  const NodeId up = normalised_layer(graph, LayerKind::binary, "up", x, 4, {3, 1, 1});
  const NodeId low = graph.convolution("low", graph.average_pool("pool", x), 4, {1, 1, 0});
  graph.add("add", up, graph.upsample("upsample", low));
  EXPECT_EQ(torch7_file_bytes(graph, {.binary = Torch7Binary::real, .gradients = true}), 7'305);
}

TEST(Torch7File, ContainersThatWereNestedDifferentlyCostAFewHundredBytes) {
  Graph graph("concat_add_join", {});
  const NodeId x = graph.input({2, 9, 7, 4});
  const NodeId sum = graph.add("add", graph.convolution("conv", x, 4, {3, 1, 1}), x);
  graph.concat("join", {sum, graph.batch_norm("bn", sum)});
  const std::int64_t written = 5'465;  // the author put the addition into the outer nn.Sequential
  const std::int64_t computed = torch7_file_bytes(graph, {.gradients = true});
  EXPECT_GT(computed, written);
  EXPECT_LT(computed, written + 300);
}

TEST(Torch7File, GradientsDoubleTheWeightsOfAFloatModelButNotOfAPackedOne) {
  const std::int64_t weights = count(binary_layer(64, 32, {3, 1, 1})).binary_weights;
  const auto growth = [](Torch7Binary binary) {
    const Graph layer = binary_layer(64, 32, {3, 1, 1});
    return torch7_file_bytes(layer, {.binary = binary, .gradients = true}) -
           torch7_file_bytes(layer, {.binary = binary});
  };
  EXPECT_EQ(growth(Torch7Binary::packed), 0);
  EXPECT_GT(growth(Torch7Binary::real), 4 * weights);
  EXPECT_LT(growth(Torch7Binary::real), 4 * weights + 200);
}

TEST(Torch7File, NetworksWhoseForksDoNotNestAreRefused) {
  try {
    torch7_file_bytes(yolov3_tiny_xnor(1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("branch.concat"), std::string::npos) << error.what();
  }
}

TEST(Torch7File, OtherNetworksAreTheirTensorsAndUnderTwoPercentOfNamesAndContainers) {
  for (const Graph& graph :
       {xnor_alexnet(1), xnor_resnet18_real(1), bireal_resnet18(1), binarynet_mnist(1)}) {
    const NetworkCounts counts = count(graph);
    // Weights of +1 and -1 behind a real input stay floats in the file.
    std::int64_t sign_weights = 0;
    for (const Node& node : graph.nodes())
      if (node.sign_weights) sign_weights += node.problem.shape.weight_count();
    const std::int64_t tensors = counts.model_bytes() + 4 * sign_weights - sign_weights / 8;
    const std::int64_t file = torch7_file_bytes(graph);
    EXPECT_GT(file, tensors) << graph.name();
    EXPECT_LT(static_cast<double>(file), 1.02 * static_cast<double>(tensors)) << graph.name();
  }
}

}  // namespace
}  // namespace xnorbench
