#include "bench/cases/network_source.h"

#include <fmt/format.h>

#include <map>

#include "core/error.h"
#include "core/names.h"
#include "networks/json/graph_json.h"

namespace xnorbench {

Graph NetworkSource::build(std::int64_t batch) const {
  return entry ? entry->build(batch) : load_graph(file, batch);
}

void NetworkSource::load_parameters(const Graph& graph, NetworkParameters& parameters) const {
  if (!entry) xnorbench::load_parameters(file, graph, parameters);
}

std::vector<NetworkSource> find_network_sources(const std::string& list) {
  std::string names;
  std::vector<std::string> files;
  for (const std::string& part : split_list("network", list)) {
    if (part.ends_with(".json"))
      files.push_back(part);
    else
      names += (names.empty() ? "" : ",") + part;
  }
  std::vector<NetworkSource> sources;
  std::map<std::string, std::string> taken;  // name -> who has it
  if (!names.empty())
    for (const NetworkEntry* entry : find_networks(names)) {
      sources.push_back({entry, {}});
      taken[entry->name] = "a network of the program";
    }
  for (const std::string& file : files) {
    const std::string name = load_graph(file, 1).name();
    if (!taken.emplace(name, file).second)
      throw InputError(
          fmt::format("{}: \"name\" is '{}', as that of {}; records would not tell them apart",
                      file, name, taken[name]));
    sources.push_back({nullptr, file});
  }
  return sources;
}

}  // namespace xnorbench
