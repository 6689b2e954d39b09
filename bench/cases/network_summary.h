// The layer table of --summary.
#pragma once

#include "networks/graph.h"

namespace xnorbench {

/// Prints every layer's type, output, window, multiply-accumulates and weights, then what papers
/// count: for one image when the graph's batch is 1.
void print_network_summary(const Graph& graph);

}  // namespace xnorbench
