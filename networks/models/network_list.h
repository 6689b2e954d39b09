// The networks that come with the program. A new one is a file in this folder, with a builder, and
// a line in networks.def.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "networks/graph.h"

namespace xnorbench {

struct NetworkEntry {
  std::string name;
  std::string description;
  Graph (*build)(std::int64_t batch);  ///< `batch`: images in one forward pass
};

/// All of them, in the order of networks.def.
std::span<const NetworkEntry> all_networks();

/// Those whose names match a comma-separated list; a name may hold '*'. Throws InputError when a
/// part matches none.
std::vector<const NetworkEntry*> find_networks(const std::string& list);

/// The builders by name: `Graph face_alignment(std::int64_t batch)` and all others of the list.
#define XNORBENCH_NETWORK(name, description) Graph name(std::int64_t batch);
#include "networks/models/networks.def"
#undef XNORBENCH_NETWORK

}  // namespace xnorbench
