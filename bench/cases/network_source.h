// Networks as --networks names them: those that come with the program, and the user's own in JSON
// files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/graph.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"

namespace xnorbench {

struct NetworkSource {
  const NetworkEntry* entry = nullptr;  ///< null: it is the file
  std::string file;

  /// Throws InputError.
  Graph build(std::int64_t batch) const;
  /// Over values made from the seed those that the file names. Throws InputError.
  void load_parameters(const Graph& graph, NetworkParameters& parameters) const;
};

/// A part of the comma-separated list that ends with .json is a file, every other one a name, which
/// may hold '*'. Names come first. Throws InputError, also for two networks of one name.
std::vector<NetworkSource> find_network_sources(const std::string& list);

}  // namespace xnorbench
