// AlexNet of Rastegari et al., "XNOR-Net: ImageNet Classification Using Binary Convolutional Neural
// Networks", ECCV 2016 (arXiv 1603.05279): first and last layer real, the others binary, the fully
// connected ones as convolutions. 3x227x227 in, 1000 classes out.
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

Graph build(const std::string& name, std::int64_t batch, LayerKind kind) {
  Graph graph(name, {PadValue::zero, ZeroRule::plus});
  NodeId x = graph.input({batch, 227, 227, 3});
  x = graph.convolution("conv1", x, 96, {11, 4, 2});
  x = graph.relu("conv1.relu", graph.batch_norm("conv1.bn", x));
  x = graph.max_pool("pool1", x, {3, 2, 0});
  x = normalised_layer(graph, kind, "conv2", x, 256, {5, 1, 2});
  x = graph.max_pool("pool2", x, {3, 2, 0});
  x = normalised_layer(graph, kind, "conv3", x, 384, {3, 1, 1});
  x = normalised_layer(graph, kind, "conv4", x, 384, {3, 1, 1});
  x = normalised_layer(graph, kind, "conv5", x, 256, {3, 1, 1});
  x = graph.max_pool("pool5", x, {3, 2, 0});
  x = normalised_layer(graph, kind, "fc6", x, 4096, {6, 1, 0});
  x = normalised_layer(graph, kind, "fc7", x, 4096, {1, 1, 0});
  x = graph.relu("fc8.relu", graph.batch_norm("fc8.bn", x));
  graph.convolution("fc8", x, 1000, {1, 1, 0});
  return graph;
}

}  // namespace

Graph xnor_alexnet(std::int64_t batch) { return build("xnor_alexnet", batch, LayerKind::binary); }
Graph xnor_alexnet_real(std::int64_t batch) {
  return build("xnor_alexnet_real", batch, LayerKind::real);
}

}  // namespace xnorbench
