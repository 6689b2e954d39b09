#include "networks/models/network_list.h"

#include <array>

#include "core/names.h"

namespace xnorbench {

std::span<const NetworkEntry> all_networks() {
#define XNORBENCH_NETWORK(name, description) NetworkEntry{#name, description, name},
  static const std::array list{
#include "networks/models/networks.def"
  };
#undef XNORBENCH_NETWORK
  return list;
}

std::vector<const NetworkEntry*> find_networks(const std::string& list) {
  std::vector<std::string> known;
  for (const NetworkEntry& entry : all_networks()) known.push_back(entry.name);
  std::vector<const NetworkEntry*> found;
  for (std::size_t index : select_names("network", list, known))
    found.push_back(&all_networks()[index]);
  return found;
}

}  // namespace xnorbench
