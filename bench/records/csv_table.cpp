#include "bench/records/csv_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace xnorbench {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_join(const std::vector<std::string>& fields) {
  return fmt::format("{}", fmt::join(fields, ","));
}

std::string csv_value(const std::string& value) { return value; }
std::string csv_value(double value) { return fmt::format("{:.1f}", value); }
std::string csv_value(bool value) { return value ? "yes" : "no"; }

std::string csv_significant(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}g}", *value, digits) : std::string();
}

}  // namespace xnorbench
