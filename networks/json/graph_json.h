// Graphs as JSON, with values in .npy files beside it: docs/own_network.md is the schema.
#pragma once

#include <cstdint>
#include <string>

#include "networks/graph.h"
#include "networks/parameters.h"

namespace xnorbench {

/// One layer a line, defaults left out. The batch and the values of the layers are not part of it.
std::string to_json(const Graph& graph);

/// to_json() into a file, by way of another name. Throws InputError when it cannot.
void write_json(const std::string& file, const Graph& graph);

/// The graph alone; files that hold values are not opened. Throws InputError: one line that names
/// the file, the layer and the field, what is wrong and what would be right.
Graph load_graph(const std::string& file, std::int64_t batch);

/// Replaces in `parameters` what the file names. `graph` is load_graph() of the same file. Throws
/// InputError.
void load_parameters(const std::string& file, const Graph& graph, NetworkParameters& parameters);

}  // namespace xnorbench
