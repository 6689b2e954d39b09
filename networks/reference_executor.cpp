#include "networks/reference_executor.h"

#include <algorithm>

#include "core/batch_norm.h"
#include "core/planner.h"
#include "reference/oracle.h"

namespace xnorbench {
namespace {

// Plain scalar loops on purpose: the fused operations are checked against these.

std::vector<float> binary_convolution(const Node& node, const NodeParameters& parameters,
                                      const std::vector<float>& x) {
  const std::vector<std::int64_t> sums =
      oracle_sums(node.problem, to_signs(x, node.problem.zero_rule), parameters.weights);
  std::vector<float> out(sums.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t o = i % static_cast<std::size_t>(node.shape.channels);
    out[i] = layer_value(parameters.alpha[o], sums[i], 0.0F);
  }
  return out;
}

std::vector<float> real_convolution(const Node& node, const NodeParameters& parameters,
                                    const std::vector<float>& x, FloatBackend float_backend,
                                    int threads) {
  Ledger ledger;
  Context context{ledger, threads};
  auto convolution = make_real_convolution(float_backend, node.problem.shape, parameters.weights,
                                           parameters.bias, context);
  const Buffer workspace = ledger.allocate(Category::workspace_library,
                                           convolution->workspace().total(), "reference executor");
  std::vector<float> out(static_cast<std::size_t>(node.shape.count()));
  convolution->run(x.data(), out.data(), workspace.data());
  return out;
}

std::vector<float> batch_norm(const BatchNorm& parameters, const std::vector<float>& x) {
  const Affine affine = to_affine(parameters);
  std::vector<float> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = affine(x[i], i % affine.scale.size());
  return out;
}

std::vector<float> relu_tensor(const Node& node, std::vector<float> x) {
  std::transform(x.begin(), x.end(), x.begin(),
                 [&](float value) { return relu(value, node.slope); });
  return x;
}

std::vector<float> add(std::vector<float> a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] + b[i];
  return a;
}

/// Index into a tensor.
std::size_t at(const TensorShape& s, std::int64_t n, std::int64_t y, std::int64_t x,
               std::int64_t c) {
  return static_cast<std::size_t>(((n * s.height + y) * s.width + x) * s.channels + c);
}

/// Calls f(n, y, x, c) for every element in order.
template <typename F>
void for_each_element(const TensorShape& s, F&& f) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t y = 0; y < s.height; ++y)
      for (std::int64_t x = 0; x < s.width; ++x)
        for (std::int64_t c = 0; c < s.channels; ++c) f(n, y, x, c);
}

/// The elements of one window that lie inside the tensor, row by row.
std::vector<float> window_elements(const Node& node, const TensorShape& in,
                                   const std::vector<float>& x, std::int64_t n, std::int64_t oy,
                                   std::int64_t ox, std::int64_t c) {
  std::vector<float> elements;
  for (std::int64_t ky = 0; ky < node.pool.size; ++ky)
    for (std::int64_t kx = 0; kx < node.pool.size; ++kx) {
      const std::int64_t iy = oy * node.pool.stride - node.pool.pad_before + ky;
      const std::int64_t ix = ox * node.pool.stride - node.pool.pad_before + kx;
      if (iy >= 0 && iy < in.height && ix >= 0 && ix < in.width)
        elements.push_back(x[at(in, n, iy, ix, c)]);
    }
  return elements;
}

std::vector<float> average_pool(const Node& node, const TensorShape& in,
                                const std::vector<float>& x) {
  std::vector<float> out;
  for_each_element(node.shape, [&](auto n, auto oy, auto ox, auto c) {
    const std::vector<float> elements = window_elements(node, in, x, n, oy, ox, c);
    float sum = elements[0];
    for (std::size_t i = 1; i < elements.size(); ++i) sum = sum + elements[i];
    out.push_back(sum * (1.0F / static_cast<float>(node.pool.size * node.pool.size)));
  });
  return out;
}

std::vector<float> max_pool(const Node& node, const TensorShape& in, const std::vector<float>& x) {
  std::vector<float> out;
  for_each_element(node.shape, [&](auto n, auto oy, auto ox, auto c) {
    const std::vector<float> elements = window_elements(node, in, x, n, oy, ox, c);
    float largest = elements[0];
    for (float element : elements)
      if (element > largest) largest = element;
    out.push_back(largest);
  });
  return out;
}

std::vector<float> upsample(const Node& node, const TensorShape& in, const std::vector<float>& x) {
  std::vector<float> out;
  for_each_element(node.shape, [&](auto n, auto oy, auto ox, auto c) {
    out.push_back(x[at(in, n, oy / 2, ox / 2, c)]);
  });
  return out;
}

std::vector<float> concat(const Node& node, const Graph& graph,
                          const std::vector<std::vector<float>>& tensors) {
  std::vector<float> out;
  for (std::size_t pixel = 0; pixel < static_cast<std::size_t>(node.shape.pixels()); ++pixel)
    for (NodeId input : node.inputs) {
      const auto channels = static_cast<std::size_t>(graph.node(input).shape.channels);
      for (std::size_t c = 0; c < channels; ++c)
        out.push_back(tensors[input][pixel * channels + c]);
    }
  return out;
}

/// The tensor of node `id` from those before it.
std::vector<float> run_node(const Graph& graph, NodeId id, const NodeParameters& parameters,
                            const std::vector<std::vector<float>>& tensors,
                            std::span<const float> input, FloatBackend float_backend, int threads) {
  const Node& node = graph.node(id);
  if (node.kind == NodeKind::input) return std::vector<float>(input.begin(), input.end());
  const std::vector<float>& x = tensors[node.inputs[0]];
  const TensorShape& in = graph.node(node.inputs[0]).shape;
  switch (node.kind) {
    case NodeKind::input: break;
    case NodeKind::convolution:
      return real_convolution(node, parameters, x, float_backend, threads);
    case NodeKind::binary_convolution: return binary_convolution(node, parameters, x);
    case NodeKind::batch_norm: return batch_norm(parameters.batch_norm, x);
    case NodeKind::average_pool: return average_pool(node, in, x);
    case NodeKind::upsample: return upsample(node, in, x);
    case NodeKind::concat: return concat(node, graph, tensors);
    case NodeKind::relu: return relu_tensor(node, x);
    case NodeKind::max_pool: return max_pool(node, in, x);
    case NodeKind::add: return add(x, tensors[node.inputs[1]]);
  }
  return {};
}

/// Last node that reads each tensor; the output is read by nobody and kept.
std::vector<NodeId> last_readers(const Graph& graph) {
  std::vector<NodeId> last(graph.nodes().size());
  for (NodeId id = 0; id < last.size(); ++id) {
    last[id] = graph.output();
    for (NodeId input : graph.node(id).inputs) last[input] = id;
  }
  return last;
}

}  // namespace

std::vector<float> run_reference(const Graph& graph, const NetworkParameters& parameters,
                                 std::span<const float> input, FloatBackend float_backend,
                                 int threads) {
  const std::vector<NodeId> last = last_readers(graph);
  std::vector<std::vector<float>> tensors(graph.nodes().size());
  for (NodeId id = 0; id < tensors.size(); ++id) {
    tensors[id] = run_node(graph, id, parameters[id], tensors, input, float_backend, threads);
    for (NodeId read : graph.node(id).inputs)
      if (last[read] == id) std::vector<float>().swap(tensors[read]);
  }
  return std::move(tensors.back());
}

std::vector<std::vector<float>> run_reference_tensors(const Graph& graph,
                                                      const NetworkParameters& parameters,
                                                      std::span<const float> input,
                                                      FloatBackend float_backend, int threads) {
  std::vector<std::vector<float>> tensors(graph.nodes().size());
  for (NodeId id = 0; id < tensors.size(); ++id)
    tensors[id] = run_node(graph, id, parameters[id], tensors, input, float_backend, threads);
  return tensors;
}

std::size_t reference_bytes(const Graph& graph) {
  const std::vector<NodeId> last = last_readers(graph);
  std::vector<Lifetime> lifetimes;
  for (NodeId id = 0; id < last.size(); ++id)
    lifetimes.push_back(
        {static_cast<std::size_t>(graph.node(id).shape.count()) * sizeof(float), id, last[id]});
  // Beside the tensors: the oracle's sums of the largest one.
  std::size_t largest = 0;
  for (const Lifetime& lifetime : lifetimes) largest = std::max(largest, lifetime.bytes);
  return find_peak(lifetimes).bytes + 3 * largest;
}

}  // namespace xnorbench
