// Two binary ResNet-18: with a shortcut around each pair of convolutions (XNOR-Net, arXiv
// 1603.05279), and with one around every convolution and real downsampling (Liu et al., "Bi-Real
// Net", ECCV 2018, arXiv 1808.00278). 3x224x224 in, 1000 classes out.
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr std::int64_t stage_channels[] = {64, 128, 256, 512};

NodeId stem(Graph& graph, std::int64_t batch) {
  NodeId x = graph.input({batch, 224, 224, 3});
  x = graph.convolution("stem", x, 64, {7, 2, 3});
  x = graph.relu("stem.relu", graph.batch_norm("stem.bn", x));
  return graph.max_pool("stem.pool", x, {3, 2, 1});
}

void classifier(Graph& graph, NodeId x) {
  graph.convolution("classifier", graph.average_pool("pool", x, 7), 1000, {1, 1, 0});
}

/// Two 3x3 convolutions and a shortcut around both.
NodeId basic_block(Graph& graph, LayerKind kind, const std::string& name, NodeId x,
                   std::int64_t channels, std::int64_t stride) {
  const NodeId shortcut =
      stride == 1 ? x
                  : normalised_layer(graph, kind, name + ".shortcut", x, channels, {1, stride, 0});
  NodeId y = normalised_layer(graph, kind, name + ".conv1", x, channels, {3, stride, 1});
  y = normalised_layer(graph, kind, name + ".conv2", y, channels, {3, 1, 1});
  return graph.add(name + ".add", y, shortcut);
}

Graph build_xnor(const std::string& name, std::int64_t batch, LayerKind kind) {
  Graph graph(name, {PadValue::zero, ZeroRule::plus});
  NodeId x = stem(graph, batch);
  for (int stage = 0; stage < 4; ++stage)
    for (int block = 0; block < 2; ++block)
      x = basic_block(graph, kind,
                      "stage" + std::to_string(stage + 1) + ".block" + std::to_string(block + 1), x,
                      stage_channels[stage], stage > 0 && block == 0 ? 2 : 1);
  classifier(graph, x);
  return graph;
}

/// sign, 3x3 convolution, batch norm, shortcut around them.
NodeId bireal_layer(Graph& graph, const std::string& name, NodeId x, std::int64_t channels,
                    std::int64_t stride) {
  NodeId shortcut = x;
  if (stride > 1) {
    shortcut = graph.average_pool(name + ".pool", x, 2);
    shortcut =
        graph.batch_norm(name + ".shortcut.bn",
                         graph.convolution(name + ".shortcut", shortcut, channels, {1, 1, 0}));
  }
  const NodeId y =
      graph.batch_norm(name + ".bn", graph.binary_convolution(name, x, channels, {3, stride, 1}));
  return graph.add(name + ".add", y, shortcut);
}

}  // namespace

Graph xnor_resnet18(std::int64_t batch) {
  return build_xnor("xnor_resnet18", batch, LayerKind::binary);
}
Graph xnor_resnet18_real(std::int64_t batch) {
  return build_xnor("xnor_resnet18_real", batch, LayerKind::real);
}

Graph bireal_resnet18(std::int64_t batch) {
  Graph graph("bireal_resnet18", {PadValue::zero, ZeroRule::plus});
  NodeId x = stem(graph, batch);
  for (int stage = 0; stage < 4; ++stage)
    for (int layer = 0; layer < 4; ++layer)
      x = bireal_layer(graph,
                       "stage" + std::to_string(stage + 1) + ".conv" + std::to_string(layer + 1), x,
                       stage_channels[stage], stage > 0 && layer == 0 ? 2 : 1);
  classifier(graph, x);
  return graph;
}

}  // namespace xnorbench
