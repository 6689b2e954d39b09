#include "networks/compile/places.h"

#include <algorithm>

namespace xnorbench {

std::string module_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  auto is_upsampled = [&](NodeId side) { return graph.node(side).kind == NodeKind::upsample; };
  const bool upsampled = std::any_of(node.inputs.begin(), node.inputs.end(), is_upsampled);
  return node.kind == NodeKind::add && upsampled ? "add_upsampled" : to_string(node.kind);
}

Place Places::of(NodeId id) {
  if (!places_[id]) {
    const Node& node = graph_.node(id);
    const bool external = node.kind == NodeKind::input || id == graph_.output();
    const BufferId buffer = builder_.add_buffer(
        {BufferKind::tensor, node.name, module_of(graph_, id), form_of(node.shape, "float32")},
        {external ? Category::input_output : Category::activations_real,
         static_cast<std::size_t>(node.shape.count()) * sizeof(float)},
        external);
    places_[id] = Place{buffer, 0, node.shape.channels};
  }
  return *places_[id];
}

}  // namespace xnorbench
