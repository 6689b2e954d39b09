// The definition of a network's output: node after node, every tensor kept in float, nothing fused.
#pragma once

#include <span>
#include <vector>

#include "networks/graph.h"
#include "networks/parameters.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// `input`: N, H, W, C. Returns the output; tensors are freed after their last reader. Binary
/// convolutions are computed by the oracle.
std::vector<float> run_reference(const Graph& graph, const NetworkParameters& parameters,
                                 std::span<const float> input, FloatBackend float_backend,
                                 int threads);

/// The same, keeping the tensor of every node, in the graph's order.
std::vector<std::vector<float>> run_reference_tensors(const Graph& graph,
                                                      const NetworkParameters& parameters,
                                                      std::span<const float> input,
                                                      FloatBackend float_backend, int threads);

/// Bytes of the tensors that run_reference() holds at once, at most.
std::size_t reference_bytes(const Graph& graph);

}  // namespace xnorbench
