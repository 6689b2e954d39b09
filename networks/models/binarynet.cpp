// The networks of Courbariaux et al., "Binarized Neural Networks" (BinaryNet), arXiv 1602.02830: a
// convolutional one for CIFAR-10 and a multilayer perceptron for MNIST. Convolution, (pool,) batch
// norm, sign. The first layer's input is real: it runs as a real layer whose weights are +1 and -1.
// Fully connected layers are convolutions whose kernel is the tensor.
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr BinaryRules rules{PadValue::zero, ZeroRule::plus};

}  // namespace

Graph binarynet_cifar10(std::int64_t batch) {
  Graph graph("binarynet_cifar10", rules);
  NodeId x = graph.input({batch, 32, 32, 3});
  x = graph.sign_weight_convolution("conv1", x, 128, {3, 1, 1});
  x = normalised_layer(graph, LayerKind::binary, "conv2", x, 128, {3, 1, 1});
  x = graph.max_pool("pool2", x, {2, 2, 0});
  x = normalised_layer(graph, LayerKind::binary, "conv3", x, 256, {3, 1, 1});
  x = normalised_layer(graph, LayerKind::binary, "conv4", x, 256, {3, 1, 1});
  x = graph.max_pool("pool4", x, {2, 2, 0});
  x = normalised_layer(graph, LayerKind::binary, "conv5", x, 512, {3, 1, 1});
  x = normalised_layer(graph, LayerKind::binary, "conv6", x, 512, {3, 1, 1});
  x = graph.max_pool("pool6", x, {2, 2, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc7", x, 1024, {4, 1, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc8", x, 1024, {1, 1, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc9", x, 10, {1, 1, 0});
  graph.batch_norm("fc9.out", x);
  return graph;
}

Graph binarynet_mnist(std::int64_t batch) {
  Graph graph("binarynet_mnist", rules);
  NodeId x = graph.input({batch, 28, 28, 1});
  x = graph.sign_weight_convolution("fc1", x, 4096, {28, 1, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc2", x, 4096, {1, 1, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc3", x, 4096, {1, 1, 0});
  x = normalised_layer(graph, LayerKind::binary, "fc4", x, 10, {1, 1, 0});
  graph.batch_norm("fc4.out", x);
  return graph;
}

}  // namespace xnorbench
