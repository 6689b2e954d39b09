// The same network on inputs of another size or batch: same layers, same weights, other tensors.
#pragma once

#include <string>

#include "networks/graph.h"

namespace xnorbench {

/// `graph` built anew on an input of this shape, whose channels are the graph's. Throws InputError
/// that names the layer when the tensors do not fit one another any more.
Graph with_input(const Graph& graph, const TensorShape& input);

/// The layer that ties the network to its input's size: a window that covers the whole of a larger
/// tensor, such as a linear layer or a global pool, or the input itself where it is one pixel;
/// empty when there is none.
std::string size_bound_layer(const Graph& graph);

}  // namespace xnorbench
