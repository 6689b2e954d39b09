#include "networks/graph.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace xnorbench {

std::string to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::input: return "input";
    case NodeKind::convolution: return "convolution";
    case NodeKind::binary_convolution: return "binary_convolution";
    case NodeKind::batch_norm: return "batch_norm";
    case NodeKind::relu: return "relu";
    case NodeKind::max_pool: return "max_pool";
    case NodeKind::average_pool: return "average_pool";
    case NodeKind::upsample: return "upsample";
    case NodeKind::concat: return "concat";
    case NodeKind::add: return "add";
  }
  return {};
}

NodeId Graph::append(NodeKind kind, const std::string& name, std::vector<NodeId> inputs,
                     const TensorShape& shape) {
  Node node;
  node.kind = kind;
  node.name = name;
  node.inputs = std::move(inputs);
  node.shape = shape;
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

NodeId Graph::append_convolution(NodeKind kind, const std::string& name, NodeId x,
                                 std::int64_t out_channels, const Window& window) {
  const TensorShape& in = nodes_[x].shape;
  ConvProblem problem;
  problem.shape = {.batch = in.batch,
                   .in_channels = in.channels,
                   .in_height = in.height,
                   .in_width = in.width,
                   .out_channels = out_channels,
                   .kernel_height = window.kernel,
                   .kernel_width = window.kernel,
                   .stride_height = window.stride,
                   .stride_width = window.stride,
                   .pad_height = window.pad,
                   .pad_width = window.pad};
  if (kind == NodeKind::binary_convolution) {
    problem.pad_value = rules_.pad_value;
    problem.zero_rule = rules_.zero_rule;
  }
  try {
    validate(problem);
  } catch (const InputError& error) {
    throw InputError(fmt::format("network {}, layer {}: {}", name_, name, error.what()));
  }
  const TensorShape out{in.batch, problem.shape.out_height(), problem.shape.out_width(),
                        out_channels};
  const NodeId id = append(kind, name, {x}, out);
  nodes_[id].problem = problem;
  return id;
}

NodeId Graph::input(const TensorShape& shape) {
  return append(NodeKind::input, "input", {}, shape);
}

NodeId Graph::convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                          const Window& window) {
  return append_convolution(NodeKind::convolution, name, x, out_channels, window);
}

NodeId Graph::binary_convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                                 const Window& window) {
  return append_convolution(NodeKind::binary_convolution, name, x, out_channels, window);
}

NodeId Graph::sign_weight_convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                                      const Window& window) {
  const NodeId id = append_convolution(NodeKind::convolution, name, x, out_channels, window);
  nodes_[id].sign_weights = true;
  return id;
}

NodeId Graph::batch_norm(const std::string& name, NodeId x) {
  return append(NodeKind::batch_norm, name, {x}, nodes_[x].shape);
}

NodeId Graph::relu(const std::string& name, NodeId x, float slope) {
  const NodeId id = append(NodeKind::relu, name, {x}, nodes_[x].shape);
  nodes_[id].slope = slope;
  return id;
}

NodeId Graph::append_pool(NodeKind kind, const std::string& name, NodeId x,
                          const PoolWindow& window) {
  TensorShape shape = nodes_[x].shape;
  const std::int64_t pad = window.pad_before + window.pad_after;
  // Every window must hold an element of the tensor.
  if (window.size < 1 || window.stride < 1 || window.pad_before < 0 || window.pad_after < 0 ||
      window.pad_before >= window.size || window.pad_after >= window.size)
    throw InputError(fmt::format(
        "network {}, layer {}: a pool of size {}, stride {}, padding {} and {}; size and stride "
        "must be at least 1, paddings from 0 to size - 1",
        name_, name, window.size, window.stride, window.pad_before, window.pad_after));
  if (shape.height + pad < window.size || shape.width + pad < window.size)
    throw InputError(fmt::format(
        "network {}, layer {}: a {}x{} pool needs a tensor of at least that size, got {}x{}", name_,
        name, window.size, window.size, shape.height, shape.width));
  shape.height = (shape.height + pad - window.size) / window.stride + 1;
  shape.width = (shape.width + pad - window.size) / window.stride + 1;
  const NodeId id = append(kind, name, {x}, shape);
  nodes_[id].pool = window;
  return id;
}

NodeId Graph::max_pool(const std::string& name, NodeId x, const PoolWindow& window) {
  return append_pool(NodeKind::max_pool, name, x, window);
}

NodeId Graph::average_pool(const std::string& name, NodeId x, std::int64_t size) {
  return append_pool(NodeKind::average_pool, name, x, {size, size, 0, 0});
}

NodeId Graph::upsample(const std::string& name, NodeId x) {
  TensorShape shape = nodes_[x].shape;
  shape.height *= 2;
  shape.width *= 2;
  return append(NodeKind::upsample, name, {x}, shape);
}

NodeId Graph::concat(const std::string& name, const std::vector<NodeId>& inputs) {
  if (inputs.empty())
    throw InputError(
        fmt::format("network {}, layer {}: a concat needs at least one input", name_, name));
  TensorShape shape = nodes_[inputs.front()].shape;
  shape.channels = 0;
  for (NodeId input : inputs) {
    const TensorShape& in = nodes_[input].shape;
    if (in.height != shape.height || in.width != shape.width)
      throw InputError(fmt::format(
          "network {}, layer {}: cannot concatenate tensors of {}x{} and {}x{}; height and "
          "width must be equal",
          name_, name, shape.height, shape.width, in.height, in.width));
    shape.channels += in.channels;
  }
  return append(NodeKind::concat, name, inputs, shape);
}

NodeId Graph::add(const std::string& name, NodeId a, NodeId b) {
  const TensorShape& left = nodes_[a].shape;
  const TensorShape& right = nodes_[b].shape;
  if (left != right)
    throw InputError(
        fmt::format("network {}, layer {}: cannot add tensors of {}x{}x{} and {}x{}x{} (H x W x "
                    "C); they must be "
                    "equal",
                    name_, name, left.height, left.width, left.channels, right.height, right.width,
                    right.channels));
  return append(NodeKind::add, name, {a, b}, left);
}

std::vector<std::vector<NodeId>> Graph::consumers() const {
  std::vector<std::vector<NodeId>> readers(nodes_.size());
  for (NodeId id = 0; id < nodes_.size(); ++id)
    for (NodeId input : nodes_[id].inputs) readers[input].push_back(id);
  return readers;
}

NodeId normalised_layer(Graph& graph, LayerKind kind, const std::string& name, NodeId x,
                        std::int64_t out_channels, const Window& window) {
  const NodeId normalised = graph.batch_norm(name + ".bn", x);
  if (kind == LayerKind::binary)
    return graph.binary_convolution(name, normalised, out_channels, window);
  return graph.convolution(name, graph.relu(name + ".relu", normalised), out_channels, window);
}

NetworkCounts count(const Graph& graph) {
  NetworkCounts counts;
  for (const Node& node : graph.nodes()) {
    const ConvShape& shape = node.problem.shape;
    switch (node.kind) {
      case NodeKind::binary_convolution:
        ++counts.binary_convolutions;
        counts.binary_weights += shape.weight_count();
        counts.binary_macs += shape.macs();
        counts.alphas += shape.out_channels;
        break;
      case NodeKind::convolution:
        ++counts.real_convolutions;
        (node.sign_weights ? counts.binary_weights : counts.real_weights) += shape.weight_count();
        counts.real_macs += shape.macs();
        counts.biases += shape.out_channels;
        break;
      case NodeKind::batch_norm: counts.batch_norm_channels += node.shape.channels; break;
      default: break;
    }
  }
  return counts;
}

}  // namespace xnorbench
