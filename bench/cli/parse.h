// Values of flags. Each parser throws InputError that names the flag, the text and what would be
// right.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/names.h"

namespace xnorbench {

/// A whole number from `low` to `high`.
std::int64_t parse_integer(const char* flag, const std::string& text, std::int64_t low,
                           std::int64_t high);
/// Seconds, 0 or more.
double parse_seconds(const char* flag, const std::string& text);
/// Bytes: "256MiB", "64KiB", "1GiB" or "4096".
std::size_t parse_size(const char* flag, const std::string& text);

/// Comma-separated, each value once; none of an empty text.
template <typename Parse>
auto parse_list(const char* flag, const std::string& list, Parse&& parse) {
  std::vector<decltype(parse(list))> values;
  if (list.empty()) return values;
  for (const std::string& part : split_list(flag, list)) {
    auto value = parse(part);
    if (std::find(values.begin(), values.end(), value) != values.end())
      throw InputError(fmt::format("{}: '{}' is given twice; give each value once", flag, part));
    values.push_back(value);
  }
  return values;
}

}  // namespace xnorbench
