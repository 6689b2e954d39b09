#include "networks/resize.h"

namespace xnorbench {
namespace {

Window window_of(const Node& node) {
  const ConvShape& s = node.problem.shape;
  return {s.kernel_height, s.stride_height, s.pad_height};
}

/// Its inputs keep their numbers.
void append(Graph& graph, const Node& node, const TensorShape& input) {
  const NodeId x = node.inputs.empty() ? 0 : node.inputs[0];
  switch (node.kind) {
    case NodeKind::input: graph.input(input); break;
    case NodeKind::convolution:
      if (node.sign_weights)
        graph.sign_weight_convolution(node.name, x, node.shape.channels, window_of(node));
      else
        graph.convolution(node.name, x, node.shape.channels, window_of(node));
      break;
    case NodeKind::binary_convolution:
      graph.binary_convolution(node.name, x, node.shape.channels, window_of(node));
      break;
    case NodeKind::batch_norm: graph.batch_norm(node.name, x); break;
    case NodeKind::relu: graph.relu(node.name, x, node.slope); break;
    case NodeKind::max_pool: graph.max_pool(node.name, x, node.pool); break;
    case NodeKind::average_pool: graph.average_pool(node.name, x, node.pool.size); break;
    case NodeKind::upsample: graph.upsample(node.name, x); break;
    case NodeKind::concat: graph.concat(node.name, node.inputs); break;
    case NodeKind::add: graph.add(node.name, x, node.inputs[1]); break;
  }
}

}  // namespace

Graph with_input(const Graph& graph, const TensorShape& input) {
  Graph resized(graph.name(), graph.rules());
  for (const Node& node : graph.nodes()) append(resized, node, input);
  return resized;
}

std::string size_bound_layer(const Graph& graph) {
  const TensorShape& input = graph.input_shape();
  if (input.height == 1 && input.width == 1) return graph.node(graph.input()).name;
  for (const Node& node : graph.nodes()) {
    if (node.inputs.empty() || node.shape.height != 1 || node.shape.width != 1) continue;
    const TensorShape& in = graph.node(node.inputs[0]).shape;
    const std::int64_t window = is_pool(node)          ? node.pool.size
                                : is_convolution(node) ? window_of(node).kernel
                                                       : 0;
    if (window > 1 && window >= in.height) return node.name;
  }
  return {};
}

}  // namespace xnorbench
