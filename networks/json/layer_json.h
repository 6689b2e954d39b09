// The types of layers in a network's JSON file: their fields, and the nodes that they become.
#pragma once

#include <string>
#include <vector>

#include "networks/graph.h"
#include "networks/json/json_reader.h"

namespace xnorbench {

/// Throws InputError unless the layer's type is known and it has only fields of that type.
void check_layer_fields(const JsonReader& reader, const std::string& type);

bool takes_many_inputs(const std::string& type);

/// Appends the layer as one node. Throws InputError that names the layer and the field.
void append_layer(Graph& graph, const JsonReader& reader, const std::string& type,
                  const std::string& name, const std::vector<NodeId>& inputs);

}  // namespace xnorbench
