// A line of a kernel's source, for messages.
#pragma once

namespace xnorbench::simt {

struct Place {
  const char* file;
  int line;

  /// As a default argument: the line of the call. (std::source_location is not C++17.)
  static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace xnorbench::simt
