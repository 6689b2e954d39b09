#include "bench/cli/parse.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace xnorbench {

std::int64_t parse_integer(const char* flag, const std::string& text, std::int64_t low,
                           std::int64_t high) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || value < low || value > high)
    throw InputError(
        fmt::format("{}: '{}' is not a whole number from {} to {}", flag, text, low, high));
  return value;
}

double parse_seconds(const char* flag, const std::string& text) {
  constexpr double longest = 1e6;
  char* stop = nullptr;
  const double value = std::strtod(text.c_str(), &stop);
  if (text.empty() || *stop != '\0' || !(value >= 0.0 && value <= longest))
    throw InputError(
        fmt::format("{}: '{}' is not a number of seconds from 0 to {:.0f}", flag, text, longest));
  return value;
}

std::size_t parse_size(const char* flag, const std::string& text) {
  constexpr std::pair<std::string_view, int> units[] = {
      {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}, {"", 0}};
  for (const auto& [unit, shift] : units) {
    if (!text.ends_with(unit)) continue;
    std::int64_t value = 0;
    const char* const end = text.data() + text.size() - unit.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end && value >= 0 && value <= INT64_MAX >> (shift + 1))
      return static_cast<std::size_t>(value) << shift;
    break;
  }
  throw InputError(fmt::format("{}: '{}' is not a size such as 256MiB, 64KiB, 1GiB or 4096 (bytes)",
                               flag, text));
}

}  // namespace xnorbench
