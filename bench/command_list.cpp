#include <fmt/format.h>

#include <regex>

#include "bench/cases/shapes.h"
#include "bench/cli/flags.h"
#include "bench/commands.h"
#include "core/error.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

Flags flags() {
  return {text_flag("--filter", "RE", "Only names that match this regular expression.",
                    &Options::filter)};
}

std::regex parse_filter(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    throw InputError(
        fmt::format("--filter: '{}' is not a regular expression ({})", text, error.what()));
  }
}

int run(const Options& options) {
  const std::regex filter = parse_filter(options.filter);
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
  fmt::print("Shape files\n");
  for (const ShapeFile& file : all_shape_files())
    if (std::regex_search(file.name, filter))
      fmt::print("  {:<20} {}\n", file.name, file.description);
  return 0;
}

}  // namespace

Command list_command() {
  return {
      .name = "list",
      .description = "List what runs on this machine, and why the rest does not.",
      .example = "list --filter=xnor",
      .example_says = "Only the implementations and networks with xnor in their names.",
      .flags = flags,
      .run = run,
  };
}

}  // namespace xnorbench
