// The counts of every network, against the tables of the papers (weights of convolutions and linear
// layers without biases; multiply-accumulates with padding taps).
#include <gtest/gtest.h>

#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

TEST(Networks, HumanPoseIsTheHourglassWithSixteenHeatmaps) {
  const Graph graph = human_pose(1);
  EXPECT_EQ(graph.output_shape(), (TensorShape{1, 64, 64, 16}));
  const NetworkCounts pose = count(graph), face = count(face_alignment(1));
  EXPECT_EQ(pose.binary_weights, face.binary_weights);
  EXPECT_EQ(pose.real_weights, face.real_weights - 256 * (68 - 16));
  EXPECT_EQ(pose.biases, face.biases - (68 - 16));
}

TEST(Networks, XnorAlexnetAlsoFitsTheOtherUsualInputSize) {
  const Graph graph = xnor_alexnet(2);
  const NetworkCounts counts = count(graph);
  EXPECT_EQ(counts.binary_weights, 58'236'928);
  EXPECT_EQ(counts.real_weights, 4'130'848);
  EXPECT_EQ(graph.output_shape(), (TensorShape{2, 1, 1, 1000}));
  // 227: 56 after the first layer, 27 after its pool. 224 gives 55 and the same 27.
  EXPECT_EQ(graph.node(1).shape.height, 56);
  Graph other("other", {});
  const NodeId x = other.convolution("conv1", other.input({1, 224, 224, 3}), 96, {11, 4, 2});
  EXPECT_EQ(other.node(x).shape.height, 55);
  EXPECT_EQ(other.node(other.max_pool("pool1", x, {3, 2, 0})).shape.height, 27);
}

TEST(Networks, XnorResnet18) {
  const NetworkCounts counts = count(xnor_resnet18(1));
  EXPECT_EQ(counts.binary_weights, 11'157'504);
  EXPECT_EQ(counts.real_weights, 521'408);
  EXPECT_EQ(counts.binary_macs / 1'000'000, 1'695);
  EXPECT_EQ((counts.binary_macs + 500'000) / 1'000'000, 1'696);
  EXPECT_EQ((counts.real_macs + 500'000) / 1'000'000, 119);
}

TEST(Networks, BirealResnet18DownsamplesInReal) {
  const NetworkCounts counts = count(bireal_resnet18(1));
  EXPECT_EQ(counts.binary_weights, 10'985'472);
  EXPECT_EQ(counts.real_weights, 693'440);
  EXPECT_EQ(counts.binary_convolutions, 16);
}

TEST(Networks, BinarynetCifar10IsAllBinary) {
  const NetworkCounts counts = count(binarynet_cifar10(1));
  EXPECT_EQ(counts.binary_weights, 14'022'016);
  EXPECT_EQ(counts.real_weights, 0);
  EXPECT_EQ(counts.real_convolutions, 1) << "the first layer's input is real";
}

TEST(Networks, BinarynetMnistIsAllBinary) {
  const NetworkCounts counts = count(binarynet_mnist(1));
  EXPECT_EQ(counts.binary_weights, 36'806'656);
  EXPECT_EQ(counts.real_weights, 0);
}

TEST(Networks, Yolov3TinyXnor) {
  const Graph graph = yolov3_tiny_xnor(1);
  const NetworkCounts counts = count(graph);
  EXPECT_EQ(counts.binary_weights, 7'469'568);
  EXPECT_EQ(counts.real_weights, 1'375'920);
  EXPECT_EQ((counts.binary_macs + 500'000) / 1'000'000, 2'442);
  EXPECT_EQ((counts.real_macs + 500'000) / 1'000'000, 340);
  EXPECT_EQ(graph.output_shape(), (TensorShape{1, 26, 26, 510}));
}

TEST(Networks, RealTwinsHaveTheSameConvolutions) {
  const std::pair<Graph, Graph> twins[] = {{xnor_alexnet(1), xnor_alexnet_real(1)},
                                           {xnor_resnet18(1), xnor_resnet18_real(1)},
                                           {face_alignment(1), face_alignment_real(1)}};
  for (const auto& [binary, real] : twins) {
    EXPECT_EQ(count(binary).macs(), count(real).macs()) << real.name();
    EXPECT_EQ(count(real).binary_convolutions, 0) << real.name();
  }
}

}  // namespace
}  // namespace xnorbench
