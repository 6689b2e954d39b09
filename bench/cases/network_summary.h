// The layer table of --summary.
#pragma once

#include "networks/graph.h"

namespace xnorbench {

/// Prints the type, output, window, multiply-accumulates and weights of each layer, then the sums
/// that papers give. All are for the graph's batch.
void print_network_summary(const Graph& graph);

}  // namespace xnorbench
