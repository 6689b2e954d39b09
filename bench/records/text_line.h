// A line of a table.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace xnorbench {

/// To standard output, without the spaces that an empty last column leaves.
inline void print_line(std::string_view line) {
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

}  // namespace xnorbench
