#include <fmt/format.h>

#include <regex>

#include "bench/commands.h"
#include "core/error.h"
#include "networks/models/network_list.h"

namespace xnorbench {

int run_list(const Options& options) {
  std::regex filter;
  try {
    filter = std::regex(options.filter);
  } catch (const std::regex_error& error) {
    throw InputError(fmt::format("--filter: '{}' is not a regular expression ({})", options.filter,
                                 error.what()));
  }
  fmt::print("Implementations on {}\n", this_machine().name);
  for (const Implementation* implementation : all_implementations()) {
    const ImplementationInfo& info = implementation->info();
    if (!std::regex_search(info.name, filter)) continue;
    const Support support = implementation->available(this_machine());
    fmt::print("  {:<18} {}\n", info.name,
               support ? "ok" : to_string(support.status) + ": " + support.reason);
    fmt::print("  {:<18} {}\n", "", info.description);
  }
  fmt::print("Networks\n");
  for (const NetworkEntry& network : all_networks())
    if (std::regex_search(network.name, filter))
      fmt::print("  {:<20} {}\n", network.name, network.description);
  return 0;
}

}  // namespace xnorbench
