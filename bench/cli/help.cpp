#include "bench/cli/help.h"

#include <fmt/format.h>

#include <algorithm>

namespace xnorbench {
namespace {

constexpr std::size_t width = 80;

/// `text` from column `indent` on, after a first line that begins with `head`.
std::string entry(const std::string& head, std::size_t indent, const std::string& text) {
  std::string result, line = head;
  auto end_line = [&] {
    result += line + "\n";
    line.clear();
  };
  if (line.size() + 2 > indent) end_line();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (line.size() + 1 + word.size() > width && line.size() > indent) end_line();
    if (line.size() < indent)
      line.resize(indent, ' ');
    else if (line.size() > indent)
      line += ' ';
    line += word;
    at = end + 1;
  }
  end_line();
  return result;
}

std::string flag_help(const Flag& flag) {
  constexpr std::size_t indent = 26;
  const std::string value = flag.value.empty() ? "" : "=" + flag.value;
  const std::string otherwise =
      flag.default_value.empty() ? "" : " (default: " + flag.default_value + ")";
  return entry("  " + flag.name + value, indent, flag.help + otherwise);
}

}  // namespace

std::string program_help(std::span<const Command> commands) {
  std::string text =
      "xnorbench: a benchmark of binary convolution (weights and inputs are +1 or -1).\n"
      "It checks that all implementations give the same results, times them, and\n"
      "accounts for their memory.\n"
      "\n"
      "Usage: xnorbench COMMAND [--flag=value ...]\n"
      "\n"
      "Start with:\n"
      "  xnorbench list                       what runs on this machine\n"
      "  xnorbench network --quick            one network on all implementations\n"
      "  xnorbench conv --shapes=resnet18     single layers\n"
      "\n"
      "Commands:\n";
  for (const Command& command : commands)
    text += entry("  " + command.name, 13, command.description);
  return text +
         "\n"
         "'xnorbench COMMAND --help' explains a command's flags and gives an example.\n"
         "A flag takes several values with commas: --batch=1,8 measures both.\n"
         "'xnorbench --version' prints the version.\n"
         "\n"
         "Exit status: 0 good, 1 a wrong result, 2 bad input, 130 interrupted.\n";
}

std::string command_help(const Command& command) {
  std::string text = entry("", 0, command.description) + "\n" +
                     fmt::format("Usage: xnorbench {} [--flag=value ...]\n\n", command.name);
  for (const Flag& flag : command.flags()) text += flag_help(flag);
  if (command.takes_benchmark_flags)
    text +=
        entry("  --benchmark_...", 26, "Flags of Google Benchmark, such as --benchmark_filter.");
  return text + "\nExample:\n  xnorbench " + command.example + "\n" +
         entry("", 2, command.example_says);
}

}  // namespace xnorbench
