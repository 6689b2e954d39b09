// From the words of the command line to a command and its options.
#pragma once

#include <optional>
#include <span>

#include "bench/cli/command.h"

namespace xnorbench {

struct CommandLine {
  Command command;
  Options options;
};

/// Nothing when help or the version was asked for: it is then printed. Throws InputError for what
/// is wrong.
std::optional<CommandLine> parse_command_line(int argc, char** argv,
                                              std::span<const Command> commands);

}  // namespace xnorbench
