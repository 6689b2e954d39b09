// The definition of a network's output: node after node, every tensor in float, nothing fused.
#pragma once

#include <span>
#include <vector>

#include "networks/graph.h"
#include "networks/parameters.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// `input`: N, H, W, C. Returns the output. Binary convolutions are computed by the oracle. Tensors
/// are freed after their last reader.
std::vector<float> run_reference(const Graph& graph, const NetworkParameters& parameters,
                                 std::span<const float> input, FloatBackend float_backend,
                                 int threads);

/// The same, but returns the tensors of all nodes, in the graph's order.
std::vector<std::vector<float>> run_reference_tensors(const Graph& graph,
                                                      const NetworkParameters& parameters,
                                                      std::span<const float> input,
                                                      FloatBackend float_backend, int threads);

/// The most bytes of tensors that run_reference() holds at once.
std::size_t reference_bytes(const Graph& graph);

}  // namespace xnorbench
