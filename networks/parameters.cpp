#include "networks/parameters.h"

#include <cmath>

#include "core/random.h"

namespace xnorbench {
namespace {

bool is_exact_channel(std::int64_t channel) { return channel % 4 == 0; }

/// Power of two near the scale that keeps sums of k terms around 1.
float power_of_two_near(std::int64_t k) {
  return std::ldexp(1.0F, -std::ilogb(std::sqrt(static_cast<double>(k))));
}

NodeParameters random_convolution(const Node& node, Random& random) {
  const ConvShape& shape = node.problem.shape;
  const bool binary = node.kind == NodeKind::binary_convolution;
  const std::int64_t k = shape.k();
  const float power = power_of_two_near(k);
  // The mean of |w| is about `power`, for a sum of k signs of variance k.
  const float bound = 2.0F * power;
  NodeParameters p;
  p.weights.reserve(static_cast<std::size_t>(shape.weight_count()));
  for (std::int64_t o = 0; o < shape.out_channels; ++o)
    for (std::int64_t i = 0; i < k; ++i) {
      const float w = random.uniform(-bound, bound);
      p.weights.push_back(node.sign_weights               ? std::copysign(1.0F, w)
                          : binary && is_exact_channel(o) ? std::copysign(power, w)
                                                          : w);
    }
  if (binary) {
    p.alpha = mean_magnitudes(p.weights, shape.out_channels);
  } else {
    for (std::int64_t o = 0; o < shape.out_channels; ++o)
      p.bias.push_back(random.uniform(-0.1F, 0.1F));
  }
  return p;
}

NodeParameters random_batch_norm(const Node& node, const Node& input,
                                 const NodeParameters& input_parameters, Random& random) {
  constexpr float epsilon = 0x1p-16F;  // so that 1 - epsilon + epsilon is exactly 1
  NodeParameters p;
  p.batch_norm.epsilon = epsilon;
  for (std::int64_t c = 0; c < node.shape.channels; ++c) {
    float gamma = random.uniform(0.5F, 1.5F);
    float beta = random.uniform(-0.3F, 0.3F);
    float mean = random.uniform(-0.3F, 0.3F);
    float variance = random.uniform(0.5F, 1.5F);
    const std::int64_t step = random.below(9) - 4;
    if (is_exact_channel(c)) {
      // scale = gamma and shift = -mean * gamma without rounding; zero at x = mean.
      gamma = 1.0F;
      beta = 0.0F;
      variance = 1.0F - epsilon;
      const bool sums = input.kind == NodeKind::binary_convolution;
      const float unit = sums ? input_parameters.alpha[static_cast<std::size_t>(c)] : 0.0F;
      // A sum of K signs has the parity of K.
      const std::int64_t parity = sums ? input.problem.shape.k() % 2 : 0;
      mean = static_cast<float>(2 * step + parity) * unit;
    }
    p.batch_norm.gamma.push_back(random.one_in(8) ? -gamma : gamma);
    p.batch_norm.beta.push_back(beta);
    p.batch_norm.mean.push_back(mean);
    p.batch_norm.variance.push_back(variance);
  }
  return p;
}

}  // namespace

std::vector<float> mean_magnitudes(const std::vector<float>& weights, std::int64_t out_channels) {
  const std::size_t count = weights.size() / static_cast<std::size_t>(out_channels);
  std::vector<float> means;
  for (std::size_t first = 0; first < weights.size(); first += count) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) sum += std::fabs(weights[i]);
    means.push_back(static_cast<float>(sum / static_cast<double>(count)));
  }
  return means;
}

NetworkParameters random_parameters(const Graph& graph, std::uint64_t seed) {
  Random random(seed);
  NetworkParameters parameters(graph.nodes().size());
  for (NodeId id = 0; id < parameters.size(); ++id) {
    const Node& node = graph.node(id);
    if (is_convolution(node))
      parameters[id] = random_convolution(node, random);
    else if (node.kind == NodeKind::batch_norm)
      parameters[id] =
          random_batch_norm(node, graph.node(node.inputs[0]), parameters[node.inputs[0]], random);
  }
  return parameters;
}

}  // namespace xnorbench
