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
    case NodeKind::average_pool: return "average_pool";
    case NodeKind::upsample: return "upsample";
    case NodeKind::concat: return "concat";
    case NodeKind::add: return "add";
  }
  return {};
}

NodeId Graph::append(NodeKind kind, const std::string& name, std::vector<NodeId> inputs, const MapShape& shape) {
  nodes_.push_back({kind, name, std::move(inputs), shape, {}});
  return nodes_.size() - 1;
}

NodeId Graph::append_convolution(NodeKind kind, const std::string& name, NodeId x, std::int64_t out_channels,
                                 const Window& window) {
  const MapShape& in = nodes_[x].shape;
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
  const MapShape out{in.batch, problem.shape.out_height(), problem.shape.out_width(), out_channels};
  const NodeId id = append(kind, name, {x}, out);
  nodes_[id].problem = problem;
  return id;
}

NodeId Graph::input(const MapShape& shape) { return append(NodeKind::input, "input", {}, shape); }

NodeId Graph::convolution(const std::string& name, NodeId x, std::int64_t out_channels, const Window& window) {
  return append_convolution(NodeKind::convolution, name, x, out_channels, window);
}

NodeId Graph::binary_convolution(const std::string& name, NodeId x, std::int64_t out_channels, const Window& window) {
  return append_convolution(NodeKind::binary_convolution, name, x, out_channels, window);
}

NodeId Graph::batch_norm(const std::string& name, NodeId x) {
  return append(NodeKind::batch_norm, name, {x}, nodes_[x].shape);
}

NodeId Graph::relu(const std::string& name, NodeId x) { return append(NodeKind::relu, name, {x}, nodes_[x].shape); }

NodeId Graph::average_pool(const std::string& name, NodeId x) {
  MapShape shape = nodes_[x].shape;
  if (shape.height < 2 || shape.width < 2)
    throw InputError(fmt::format("network {}, layer {}: a 2x2 pool needs a map of at least 2x2, got {}x{}", name_, name,
                                 shape.height, shape.width));
  shape.height /= 2;
  shape.width /= 2;
  return append(NodeKind::average_pool, name, {x}, shape);
}

NodeId Graph::upsample(const std::string& name, NodeId x) {
  MapShape shape = nodes_[x].shape;
  shape.height *= 2;
  shape.width *= 2;
  return append(NodeKind::upsample, name, {x}, shape);
}

NodeId Graph::concat(const std::string& name, const std::vector<NodeId>& inputs) {
  if (inputs.empty()) throw InputError(fmt::format("network {}, layer {}: nothing to concatenate", name_, name));
  MapShape shape = nodes_[inputs.front()].shape;
  shape.channels = 0;
  for (NodeId input : inputs) {
    const MapShape& in = nodes_[input].shape;
    if (in.height != shape.height || in.width != shape.width)
      throw InputError(fmt::format("network {}, layer {}: cannot concatenate maps of {}x{} and {}x{}", name_, name,
                                   shape.height, shape.width, in.height, in.width));
    shape.channels += in.channels;
  }
  return append(NodeKind::concat, name, inputs, shape);
}

NodeId Graph::add(const std::string& name, NodeId a, NodeId b) {
  const MapShape& left = nodes_[a].shape;
  const MapShape& right = nodes_[b].shape;
  if (left != right)
    throw InputError(fmt::format("network {}, layer {}: cannot add maps of {}x{}x{} and {}x{}x{} (H x W x C)", name_, name,
                                 left.height, left.width, left.channels, right.height, right.width, right.channels));
  return append(NodeKind::add, name, {a, b}, left);
}

std::vector<std::vector<NodeId>> Graph::consumers() const {
  std::vector<std::vector<NodeId>> readers(nodes_.size());
  for (NodeId id = 0; id < nodes_.size(); ++id)
    for (NodeId input : nodes_[id].inputs) readers[input].push_back(id);
  return readers;
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
        counts.real_weights += shape.weight_count();
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
