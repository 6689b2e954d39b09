#include "bench/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "bench/cli/help.h"
#include "bench/measure/benchmark_library.h"
#include "bench/records/build_info.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

using Words = std::vector<std::string>;

/// A flag, and what the command line said of it.
struct GivenFlag {
  Flag flag;
  std::string text = {};
  bool is_given = false;
};

/// --benchmark_... flags go to the library as they are.
Words take_benchmark_flags(Words& words) {
  Words taken;
  std::erase_if(words, [&taken](const std::string& word) {
    if (!word.starts_with("--benchmark_")) return false;
    taken.push_back(word);
    return true;
  });
  return taken;
}

/// "; did you mean conv?" or nothing.
std::string suggestion(const std::string& word, const Words& known) {
  const std::string nearest = nearest_name(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

const Command& find_command(const std::string& word, std::span<const Command> commands) {
  if (word.starts_with('-'))
    throw InputError(
        fmt::format("{} stands before the command; write xnorbench COMMAND {} ('xnorbench --help' "
                    "names the commands)",
                    word, word));
  Words names;
  for (const Command& command : commands) {
    if (command.name == word) return command;
    names.push_back(command.name);
  }
  throw InputError(fmt::format("unknown command '{}'{} ('xnorbench --help' names the commands)",
                               word, suggestion(word, names)));
}

[[noreturn]] void throw_unexpected(const std::string& word, const Command& command,
                                   const std::vector<GivenFlag>& flags) {
  const std::string name = word.substr(0, word.find('='));
  const std::string help = fmt::format("'xnorbench {} --help' lists its flags", command.name);
  if (!name.starts_with('-'))
    throw InputError(fmt::format("{} takes flags only, not '{}'; {}", command.name, word, help));
  Words names;
  for (const GivenFlag& given : flags) names.push_back(given.flag.name);
  throw InputError(
      fmt::format("{} has no flag {}{} ({})", command.name, name, suggestion(name, names), help));
}

/// Reads `words` into `flags`. Returns false when help was asked for.
bool read_flags(Words words, const Command& command, std::vector<GivenFlag>& flags) {
  for (const std::string& word : words)  // CLI11 would take the next word for the value
    if (word.starts_with("--") && word.ends_with('='))
      throw InputError(fmt::format("{} has no value; write {}VALUE, or leave it out", word, word));
  CLI::App app;
  for (GivenFlag& given : flags)
    if (given.flag.value.empty())
      app.add_flag(given.flag.name, given.is_given);
    else
      app.add_option(given.flag.name, given.text);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ExtrasError&) {
    throw_unexpected(app.remaining().front(), command, flags);
  } catch (const CLI::ParseError& error) {
    throw InputError(
        fmt::format("{}; 'xnorbench {} --help' lists the flags", error.what(), command.name));
  }
  for (GivenFlag& given : flags)
    if (!given.flag.value.empty()) given.is_given = app.count(given.flag.name) > 0;
  return true;
}

void refuse_exclusive_flags(const std::vector<GivenFlag>& flags) {
  for (const GivenFlag& given : flags)
    for (const std::string& other : given.flag.excludes)
      if (given.is_given &&
          std::any_of(flags.begin(), flags.end(), [&](const GivenFlag& candidate) {
            return candidate.is_given && candidate.flag.name == other;
          }))
        throw InputError(given.flag.exclusion);
}

void set_options(const std::vector<GivenFlag>& flags, Options& options) {
  for (const GivenFlag& given : flags)
    if (given.is_given)
      given.flag.set(given.text, options);
    else if (!given.flag.default_value.empty())
      given.flag.set(given.flag.default_value, options);
}

void initialise_benchmark_library(const Command& command, const Words& benchmark_flags,
                                  std::span<const Command> commands) {
  if (!command.takes_benchmark_flags && !benchmark_flags.empty()) {
    std::string takers;
    for (const Command& candidate : commands)
      if (candidate.takes_benchmark_flags) takers += (takers.empty() ? "" : ", ") + candidate.name;
    throw InputError(fmt::format("{} has no flag {}; flags of Google Benchmark are for: {}",
                                 command.name, benchmark_flags[0], takers));
  }
  xnorbench::initialise_benchmark_library(benchmark_flags);
}

}  // namespace

std::optional<CommandLine> parse_command_line(int argc, char** argv,
                                              std::span<const Command> commands) {
  Words words(argv + std::min(argc, 1), argv + argc);
  Options options;
  options.argv = {"xnorbench"};
  options.argv.insert(options.argv.end(), words.begin(), words.end());
  options.session.benchmark_flags = take_benchmark_flags(words);
  if (words.empty()) throw InputError("no command is given; 'xnorbench --help' names the commands");
  if (words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", program_help(commands));
    return std::nullopt;
  }
  if (words[0] == "--version") {
    fmt::print("{} ({})\n", build_info::version, build_info::commit);
    return std::nullopt;
  }
  const Command& command = find_command(words[0], commands);
  std::vector<GivenFlag> flags;
  for (const Flag& flag : command.flags()) flags.push_back({flag});
  if (!read_flags({words.begin() + 1, words.end()}, command, flags)) {
    fmt::print("{}", command_help(command));
    return std::nullopt;
  }
  refuse_exclusive_flags(flags);
  initialise_benchmark_library(command, options.session.benchmark_flags, commands);
  set_options(flags, options);
  return CommandLine{command, std::move(options)};
}

}  // namespace xnorbench
