// The definition of a network's output: node after node, every map kept in float, nothing fused.
#pragma once

#include <span>
#include <vector>

#include "networks/graph.h"
#include "networks/parameters.h"
#include "networks/real_convolution.h"

namespace xnorbench {

/// `input`: N, H, W, C. Returns the map of every node, in the graph's order; the last is the output.
/// Binary convolutions are computed by the oracle.
std::vector<std::vector<float>> run_reference(const Graph& graph, const NetworkParameters& parameters,
                                              std::span<const float> input, RealLayers real_layers, int threads);

}  // namespace xnorbench
