// A network on inputs of another size or batch: the same layers and weights, tensors of other
// sizes.
#pragma once

#include <string>

#include "networks/graph.h"

namespace xnorbench {

/// Builds `graph` anew on an input of another batch, height or width. Throws InputError that names
/// the layer if the tensors no longer fit one another.
Graph with_input(const Graph& graph, const TensorShape& input);

/// The layer that ties the network to its input's size, by name: a window that covers a whole
/// tensor of several pixels, such as a linear layer or a global pool, or the input itself if it is
/// one pixel. Empty if there is none.
std::string size_bound_layer(const Graph& graph);

}  // namespace xnorbench
