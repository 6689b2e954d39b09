// Graphs as JSON, with values in .npy files beside it: docs/own_network.md is the schema.
#pragma once

#include <cstdint>
#include <string>

#include "networks/graph.h"
#include "networks/parameters.h"

namespace xnorbench {

/// One layer a line, defaults left out. It holds neither the batch nor the values of the layers.
std::string to_json(const Graph& graph);

/// Writes to_json() to a file, whole or not at all. Throws InputError when it cannot.
void write_json(const std::string& file, const Graph& graph);

/// Reads the graph; files that hold values are not opened. Throws InputError of one line: the file,
/// the layer and the field, what is wrong and what would be right.
Graph load_graph(const std::string& file, std::int64_t batch);

/// Replaces the values in `parameters` that the file names .npy files for. `graph` is load_graph()
/// of the same file. Throws InputError as load_graph() does.
void load_parameters(const std::string& file, const Graph& graph, NetworkParameters& parameters);

}  // namespace xnorbench
