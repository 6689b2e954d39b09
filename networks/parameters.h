// Trained values of a network's nodes, or random ones from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/batch_norm.h"
#include "networks/graph.h"

namespace xnorbench {

/// The node's kind decides which fields are filled.
struct NodeParameters {
  std::vector<float> weights;  ///< convolutions: O, I/groups, KH, KW
  std::vector<float> alpha;    ///< binary convolutions: mean of |w| per output channel
  std::vector<float> bias;     ///< real convolutions
  BatchNorm batch_norm;
};

/// One entry per node of the graph.
using NetworkParameters = std::vector<NodeParameters>;

/// Random values for tests and timing, the same for the same seed. Weights are uniform around 0. In
/// one output channel of four every number is a power of two or an integer multiple of one, and the
/// batch norm that follows is zero exactly at a sum that occurs. So many values lie exactly on a
/// threshold, where rounding and the rule for sign(0) decide. One gamma in eight is negative.
NetworkParameters random_parameters(const Graph& graph, std::uint64_t seed);

/// Mean of |w| over each output channel, added up in double.
std::vector<float> mean_magnitudes(const std::vector<float>& weights, std::int64_t out_channels);

}  // namespace xnorbench
