// A network as a graph. Each node computes one tensor; its inputs are earlier nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/tensor.h"

namespace xnorbench {

enum class NodeKind {
  input,
  convolution,         ///< real activations, real or +1/-1 weights, a bias; pads with zeros
  binary_convolution,  ///< alpha * (sign(x) * sign(w)); it takes the sign of its input itself
  batch_norm,
  relu,          ///< x > 0 ? x : slope * x; slope 0 unless leaky
  max_pool,      ///< elements outside the tensor take no part
  average_pool,  ///< size x size, stride size; drops what does not fill a last row or column
  upsample,      ///< nearest, by 2
  concat,        ///< along channels
  add,
};
std::string to_string(NodeKind kind);

using NodeId = std::size_t;

/// A square convolution kernel, with equal strides and paddings, in pixels.
struct Window {
  std::int64_t kernel = 1, stride = 1, pad = 0;
};

struct Node {
  NodeKind kind = NodeKind::input;
  std::string name;
  std::vector<NodeId> inputs;
  TensorShape shape;          ///< of its output
  ConvProblem problem;        ///< convolutions only; the executor chooses source and destination
  bool sign_weights = false;  ///< real convolutions: weights are +1 and -1, counted as binary
  PoolWindow pool;            ///< pools only
  float slope = 0.0F;         ///< relu only
};

/// Real or binary.
inline bool is_convolution(const Node& node) {
  return node.kind == NodeKind::convolution || node.kind == NodeKind::binary_convolution;
}
inline bool is_pool(const Node& node) {
  return node.kind == NodeKind::max_pool || node.kind == NodeKind::average_pool;
}

/// Choices that all binary convolutions of a network share.
struct BinaryRules {
  PadValue pad_value = PadValue::zero;
  ZeroRule zero_rule = ZeroRule::plus;
};

/// Builds and holds a graph. Its first node is the input, its last the output. Each building method
/// adds a node that reads node `x` and returns its number; it throws InputError that names the node
/// if shapes do not fit.
class Graph {
 public:
  Graph(std::string name, BinaryRules rules) : name_(std::move(name)), rules_(rules) {}

  NodeId input(const TensorShape& shape);
  NodeId convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                     const Window& window);
  NodeId binary_convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                            const Window& window);
  /// A real convolution whose weights are +1 and -1: the first layer of BinaryNet.
  NodeId sign_weight_convolution(const std::string& name, NodeId x, std::int64_t out_channels,
                                 const Window& window);
  NodeId batch_norm(const std::string& name, NodeId x);
  NodeId relu(const std::string& name, NodeId x, float slope = 0.0F);
  NodeId max_pool(const std::string& name, NodeId x, const PoolWindow& window);
  NodeId average_pool(const std::string& name, NodeId x, std::int64_t size = 2);
  NodeId upsample(const std::string& name, NodeId x);
  NodeId concat(const std::string& name, const std::vector<NodeId>& inputs);
  NodeId add(const std::string& name, NodeId a, NodeId b);

  const std::string& name() const { return name_; }
  const BinaryRules& rules() const { return rules_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  NodeId input() const { return 0; }
  NodeId output() const { return nodes_.size() - 1; }
  const TensorShape& input_shape() const { return nodes_.front().shape; }
  const TensorShape& output_shape() const { return nodes_.back().shape; }
  /// For every node the nodes that read it, in the graph's order.
  std::vector<std::vector<NodeId>> consumers() const;

 private:
  NodeId append(NodeKind kind, const std::string& name, std::vector<NodeId> inputs,
                const TensorShape& shape);
  NodeId append_pool(NodeKind kind, const std::string& name, NodeId x, const PoolWindow& window);
  NodeId append_convolution(NodeKind kind, const std::string& name, NodeId x,
                            std::int64_t out_channels, const Window& window);

  std::string name_;
  BinaryRules rules_;
  std::vector<Node> nodes_;
};

/// Networks with a real-valued twin build their layers in one of two kinds.
enum class LayerKind {
  binary,  ///< batch norm, sign, binary convolution
  real,    ///< batch norm, relu, real convolution
};

/// Batch norm and then a convolution of that kind: the order of XNOR-Net and of the hourglass.
/// Returns the convolution.
NodeId normalised_layer(Graph& graph, LayerKind kind, const std::string& name, NodeId x,
                        std::int64_t out_channels, const Window& window);

/// The numbers that papers give. Weights do not count biases; multiply-accumulates (MACs) count the
/// taps in the padding.
struct NetworkCounts {
  std::int64_t binary_convolutions = 0, real_convolutions = 0;
  std::int64_t binary_weights = 0, real_weights = 0;
  std::int64_t binary_macs = 0, real_macs = 0;
  std::int64_t alphas = 0;  ///< output channels of binary convolutions
  std::int64_t biases = 0;  ///< output channels of real convolutions
  std::int64_t batch_norm_channels = 0;

  std::int64_t macs() const { return binary_macs + real_macs; }
  /// One bit for each binary weight.
  std::int64_t packed_bytes() const { return binary_weights / 8; }
  std::int64_t packed_and_alpha_bytes() const { return packed_bytes() + 4 * alphas; }
  /// The same with real weights, biases and the four vectors of every batch norm, as floats.
  std::int64_t model_bytes() const {
    return packed_and_alpha_bytes() + 4 * (real_weights + biases + 4 * batch_norm_channels);
  }
};
NetworkCounts count(const Graph& graph);

}  // namespace xnorbench
