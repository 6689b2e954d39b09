#include "networks/reference_executor.h"

#include <algorithm>

#include "core/batch_norm.h"
#include "networks/elementwise.h"
#include "reference/oracle.h"

namespace xnorbench {
namespace {

// Plain scalar statements of the law on purpose: the fused passes are checked against these.

std::vector<float> binary_convolution(const Node& node, const NodeParameters& parameters, const std::vector<float>& x) {
  const std::vector<std::int64_t> sums =
      oracle_sums(node.problem, to_signs(x, node.problem.zero_rule), parameters.weights);
  std::vector<float> out(sums.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t o = i % static_cast<std::size_t>(node.shape.channels);
    out[i] = layer_value(parameters.alpha[o], sums[i], 0.0F);
  }
  return out;
}

std::vector<float> real_convolution(const Node& node, const NodeParameters& parameters, const std::vector<float>& x,
                                    RealLayers real_layers, int threads) {
  Ledger ledger;
  Context context{ledger, threads};
  auto convolution =
      make_real_convolution(real_layers, node.problem.shape, parameters.weights, parameters.bias, context);
  const Buffer workspace =
      ledger.allocate(Category::workspace_library, convolution->workspace().total(), "reference executor");
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

/// Index into a map.
std::size_t at(const MapShape& s, std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) {
  return static_cast<std::size_t>(((n * s.height + y) * s.width + x) * s.channels + c);
}

/// Calls f(n, y, x, c) for every element in order.
template <typename F>
void for_each_element(const MapShape& s, F&& f) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t y = 0; y < s.height; ++y)
      for (std::int64_t x = 0; x < s.width; ++x)
        for (std::int64_t c = 0; c < s.channels; ++c) f(n, y, x, c);
}

std::vector<float> average_pool(const Node& node, const MapShape& in, const std::vector<float>& x) {
  std::vector<float> out;
  for_each_element(node.shape, [&](auto n, auto oy, auto ox, auto c) {
    float sum = x[at(in, n, 2 * oy, 2 * ox, c)] + x[at(in, n, 2 * oy, 2 * ox + 1, c)];
    sum = sum + x[at(in, n, 2 * oy + 1, 2 * ox, c)];
    sum = sum + x[at(in, n, 2 * oy + 1, 2 * ox + 1, c)];
    out.push_back(sum * 0.25F);
  });
  return out;
}

std::vector<float> upsample(const Node& node, const MapShape& in, const std::vector<float>& x) {
  std::vector<float> out;
  for_each_element(node.shape,
                   [&](auto n, auto oy, auto ox, auto c) { out.push_back(x[at(in, n, oy / 2, ox / 2, c)]); });
  return out;
}

std::vector<float> concat(const Node& node, const Graph& graph, const std::vector<std::vector<float>>& maps) {
  std::vector<float> out;
  for (std::size_t pixel = 0; pixel < static_cast<std::size_t>(node.shape.pixels()); ++pixel)
    for (NodeId input : node.inputs) {
      const auto channels = static_cast<std::size_t>(graph.node(input).shape.channels);
      for (std::size_t c = 0; c < channels; ++c) out.push_back(maps[input][pixel * channels + c]);
    }
  return out;
}

}  // namespace

std::vector<std::vector<float>> run_reference(const Graph& graph, const NetworkParameters& parameters,
                                              std::span<const float> input, RealLayers real_layers, int threads) {
  std::vector<std::vector<float>> maps(graph.nodes().size());
  for (NodeId id = 0; id < maps.size(); ++id) {
    const Node& node = graph.node(id);
    const NodeId first = node.inputs.empty() ? 0 : node.inputs[0];
    const std::vector<float>& x = maps[first];
    std::vector<float>& out = maps[id];
    switch (node.kind) {
      case NodeKind::input: out.assign(input.begin(), input.end()); break;
      case NodeKind::convolution: out = real_convolution(node, parameters[id], x, real_layers, threads); break;
      case NodeKind::binary_convolution: out = binary_convolution(node, parameters[id], x); break;
      case NodeKind::batch_norm: out = batch_norm(parameters[id].batch_norm, x); break;
      case NodeKind::relu:
        out = x;
        std::transform(out.begin(), out.end(), out.begin(), relu);
        break;
      case NodeKind::average_pool: out = average_pool(node, graph.node(first).shape, x); break;
      case NodeKind::upsample: out = upsample(node, graph.node(first).shape, x); break;
      case NodeKind::concat: out = concat(node, graph, maps); break;
      case NodeKind::add:
        out = x;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] + maps[node.inputs[1]][i];
        break;
    }
  }
  return maps;
}

}  // namespace xnorbench
