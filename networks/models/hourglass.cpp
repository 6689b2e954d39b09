// The binary hourglass of Bulat & Tzimiropoulos, "Binarized Convolutional Landmark Localizers for
// Human Pose Estimation and Face Alignment with Limited Resources", ICCV 2017 (arXiv 1703.00862),
// with its two sets of landmarks, and its real-valued twin. 3x256x256 in, a heatmap of 64x64 for
// each landmark out.
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr std::int64_t features = 256;
constexpr int depth = 4;

class Hourglass {
 public:
  Hourglass(Graph& graph, LayerKind kind) : graph_(graph), kind_(kind) {}

  /// Three 3x3 convolutions, each fed by the one before, concatenated (o/2 + o/4 + o/4) and added
  /// to the shortcut: identity, or 1x1 when the channels change. The shortcut comes first, so that
  /// the others can be added into it in place.
  NodeId block(const std::string& name, NodeId x, std::int64_t out_channels) {
    const bool identity = graph_.node(x).shape.channels == out_channels;
    const NodeId shortcut = identity ? x : layer(name + ".shortcut", x, out_channels, {1, 1, 0});
    const NodeId first = layer(name + ".conv1", x, out_channels / 2, {3, 1, 1});
    const NodeId second = layer(name + ".conv2", first, out_channels / 4, {3, 1, 1});
    const NodeId third = layer(name + ".conv3", second, out_channels / 4, {3, 1, 1});
    return graph_.add(name + ".add", graph_.concat(name + ".concat", {first, second, third}),
                      shortcut);
  }

  NodeId level(const std::string& name, NodeId x, int levels_left) {
    const NodeId up = block(name + ".up", x, features);
    NodeId low = block(name + ".low1", graph_.average_pool(name + ".pool", x), features);
    low = levels_left > 1 ? level(name + ".in", low, levels_left - 1)
                          : block(name + ".low2", low, features);
    low = block(name + ".low3", low, features);
    return graph_.add(name + ".add", up, graph_.upsample(name + ".upsample", low));
  }

 private:
  NodeId layer(const std::string& name, NodeId x, std::int64_t out_channels, const Window& window) {
    return normalised_layer(graph_, kind_, name, x, out_channels, window);
  }

  Graph& graph_;
  LayerKind kind_;
};

Graph build(const std::string& name, std::int64_t batch, LayerKind kind, std::int64_t landmarks) {
  Graph graph(name, {PadValue::minus_one, ZeroRule::minus});
  Hourglass hourglass(graph, kind);
  NodeId x = graph.input({batch, 256, 256, 3});
  x = graph.convolution("stem", x, 64, {7, 2, 3});
  x = graph.relu("stem.relu", graph.batch_norm("stem.bn", x));
  x = hourglass.block("block1", x, 128);
  x = graph.average_pool("pool", x);
  x = hourglass.block("block2", x, 128);
  x = hourglass.block("block3", x, features);
  x = hourglass.level("hourglass", x, depth);
  x = hourglass.block("block4", x, features);
  x = graph.convolution("head1", x, features, {1, 1, 0});
  x = graph.relu("head1.relu", graph.batch_norm("head1.bn", x));
  graph.convolution("head2", x, landmarks, {1, 1, 0});
  return graph;
}

}  // namespace

Graph face_alignment(std::int64_t batch) {
  return build("face_alignment", batch, LayerKind::binary, 68);
}
Graph human_pose(std::int64_t batch) { return build("human_pose", batch, LayerKind::binary, 16); }
Graph face_alignment_real(std::int64_t batch) {
  return build("face_alignment_real", batch, LayerKind::real, 68);
}

}  // namespace xnorbench
