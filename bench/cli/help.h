// The texts of --help, wrapped at 80 columns.
#pragma once

#include <span>
#include <string>

#include "bench/cli/command.h"

namespace xnorbench {

std::string program_help(std::span<const Command> commands);
std::string command_help(const Command& command);

}  // namespace xnorbench
