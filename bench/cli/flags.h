// The commands of the program and their flags, as the command line library sees them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "bench/cli/options.h"

namespace xnorbench {

/// Flags as written; lists are taken apart after parsing.
struct RawFlags {
  std::string implementations = "*", batch, threads, source, destination, cache = "hot",
              repetitions, min_time, time_limit = "0", seed = "1", fuzz = "0", float_backend,
              workspace_limit, isa;
  bool quick = false;
  std::string policy, budget, reserved = "0", claims;
};

/// Adds all commands; parsing fills `options` and `raw`, which must outlive `app`.
void add_commands(CLI::App& app, Options& options, RawFlags& raw);
/// The one that was given. Names, in Command's order, are those of the design.
Command chosen_command(const CLI::App& app);
/// "list, check, ..."
std::string command_names();

}  // namespace xnorbench
