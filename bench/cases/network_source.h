// Networks as --networks names them: built-in networks, and the user's own in JSON files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/graph.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"

namespace xnorbench {

struct NetworkSource {
  const NetworkEntry* entry = nullptr;  ///< of a built-in network; null: `file` is used
  std::string file;

  /// Throws InputError.
  Graph build(std::int64_t batch) const;
  /// Replaces the values that the file names. Throws InputError.
  void load_parameters(const Graph& graph, NetworkParameters& parameters) const;
};

/// A part of the comma-separated list is a file if it ends in .json, else a name, which may hold
/// '*'. Names come first. Throws InputError, also if two networks have the same name.
std::vector<NetworkSource> find_network_sources(const std::string& list);

}  // namespace xnorbench
