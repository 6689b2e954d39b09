// The commands of the program: one line each in bench/commands.def.
#pragma once

#include <vector>

#include "bench/cli/command.h"

namespace xnorbench {

#define XNORBENCH_COMMAND(name) Command name##_command();
#include "bench/commands.def"
#undef XNORBENCH_COMMAND

inline std::vector<Command> all_commands() {
  return {
#define XNORBENCH_COMMAND(name) name##_command(),
#include "bench/commands.def"
#undef XNORBENCH_COMMAND
  };
}

}  // namespace xnorbench
