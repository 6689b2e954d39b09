#include "networks/network_list.h"

#include <array>

#include "core/names.h"

namespace xnorbench {

std::span<const NetworkEntry> all_networks() {
  static const std::array list{
      NetworkEntry{"face_alignment", "binary hourglass, 68 heatmaps from a 256x256 image (arXiv 1703.00862)",
                   face_alignment},
      NetworkEntry{"face_alignment_real", "its real-valued twin: relu for sign, real weights, zero padding",
                   face_alignment_real},
  };
  return list;
}

std::vector<const NetworkEntry*> find_networks(const std::string& list) {
  std::vector<std::string> known;
  for (const NetworkEntry& entry : all_networks()) known.push_back(entry.name);
  std::vector<const NetworkEntry*> found;
  for (std::size_t index : select_names("network", list, known)) found.push_back(&all_networks()[index]);
  return found;
}

}  // namespace xnorbench
