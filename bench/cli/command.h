// A command of the program, and a flag that it takes. A command is one file,
// bench/command_NAME.cpp, and one line in bench/commands.def.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/cli/options.h"

namespace xnorbench {

struct Flag {
  std::string name;           ///< with its dashes: "--threads"
  std::string value;          ///< the value's name in the help, as LIST; empty: the flag has none
  std::string help;           ///< one short sentence
  std::string default_value;  ///< taken when the flag is not given; empty: `set` is not called
  /// Puts the value into the options. Throws InputError that names the flag.
  std::function<void(const std::string& text, Options& options)> set;
  std::vector<std::string> excludes = {};  ///< flags that must not be given beside this one
  std::string exclusion = {};              ///< the error when one of them is
};

struct Command {
  std::string name;
  std::string description;   ///< one sentence
  std::string example;       ///< a command line without the program's name; a test runs it
  std::string example_says;  ///< what the example does, one sentence
  /// The flags, in the order of the help. Their `set` functions are called in this order.
  std::vector<Flag> (*flags)();
  int (*run)(const Options& options);  ///< returns the program's exit status
  bool takes_benchmark_flags = false;  ///< --benchmark_..., for Google Benchmark
};

}  // namespace xnorbench
