#include "networks/json/json_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"

namespace xnorbench {
namespace {

using nlohmann::json;

constexpr std::size_t largest_file = 16 << 20;
constexpr int deepest = 8;

std::string read_text(const std::string& file) {
  std::error_code error;
  std::ifstream stream(file, std::ios::binary);
  if (!std::filesystem::is_regular_file(file, error) || !stream)
    fail_in_one_line(
        fmt::format("cannot open {}; give a network's JSON file that can be read", file));
  if (std::filesystem::file_size(file, error) > largest_file || error)
    fail_in_one_line(
        fmt::format("{}: larger than {} MiB; a network's JSON file names its numbers in .npy files",
                    file, largest_file >> 20));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What nlohmann says, without its own number in front and in plain characters.
std::string plain(const std::string& message) {
  std::string text = message.substr(message.starts_with('[') ? message.find("] ") + 2 : 0);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

/// A value as the file has it, cut off when long.
std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

bool is_plain_name(const std::string& name) {
  constexpr std::size_t longest = 100;
  return !name.empty() && name.size() <= longest &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("._-").find(c) != std::string_view::npos;
         });
}

}  // namespace

void fail_in_one_line(const std::string& message) {
  std::string line = message;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, '?');
  throw InputError(line);
}

json read_json_object(const std::string& file) {
  const std::string text = read_text(file);
  std::vector<std::set<std::string>>
      open;  // fields of the objects around the place that is being read
  const json::parser_callback_t note_fields = [&](int depth, json::parse_event_t event,
                                                  json& parsed) {
    if (depth > deepest)
      fail_in_one_line(fmt::format("{}: nested more than {} deep; expected an object with layers",
                                   file, deepest));
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      fail_in_one_line(fmt::format("{}: field {} is given twice in one object; give each once",
                                   file, shown(parsed)));
    return true;
  };
  json object;
  try {
    object = json::parse(text, note_fields);
  } catch (const json::exception& error) {
    fail_in_one_line(fmt::format("{}: not JSON: {}; docs/own_network.md shows a network", file,
                                 plain(error.what())));
  }
  if (!object.is_object())
    fail_in_one_line(
        fmt::format("{}: holds {}; expected one object with \"name\", \"input\" and \"layers\"",
                    file, object.is_array() ? "an array" : shown(object)));
  return object;
}

void JsonReader::fail(const std::string& field, const std::string& what) const {
  fail_in_one_line(fmt::format("{}: \"{}\" {}", where_, field, what));
}

void JsonReader::allow_only(const std::vector<std::string>& fields) const {
  for (const auto& [field, value] : object_.items())
    if (std::find(fields.begin(), fields.end(), field) == fields.end())
      fail_in_one_line(fmt::format("{}: unknown field {}; known here: {}", where_, shown(field),
                                   fmt::join(fields, ", ")));
}

const json& JsonReader::get(const std::string& field) const {
  if (!has(field)) fail(field, "is missing; it has no default");
  return object_.at(field);
}

std::int64_t JsonReader::size(const std::string& field, std::int64_t smallest,
                              std::optional<std::int64_t> default_value) const {
  if (!has(field) && default_value) return *default_value;
  const json& value = get(field);
  const std::string right = fmt::format("a whole number from {} to {}", smallest, largest_size);
  if (value.is_array())
    fail(field, fmt::format("is {}; windows are square here: give {} for both directions",
                            shown(value), right));
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::uint64_t{largest_size}
                        : value.is_number_integer();
  if (!fits || value.get<std::int64_t>() < smallest)
    fail(field, fmt::format("is {}; it must be {}", shown(value), right));
  return value.get<std::int64_t>();
}

double JsonReader::number(const std::string& field, double low, bool with_low, double high,
                          double default_value) const {
  if (!has(field)) return default_value;
  const json& value = get(field);
  const double number = value.is_number() ? value.get<double>() : low - 1;
  if (number < low || (number == low && !with_low) || number > high)
    fail(field, fmt::format("is {}; it must be a number {} {} and at most {}", shown(value),
                            with_low ? "from" : "above", low, high));
  return number;
}

std::string JsonReader::text(const std::string& field) const {
  const json& value = get(field);
  if (!value.is_string() || value.get<std::string>().empty())
    fail(field,
         fmt::format("is {}; it must be a text in quotation marks, not empty", shown(value)));
  return value.get<std::string>();
}

std::string JsonReader::name(const std::string& field) const {
  std::string name = text(field);
  if (!is_plain_name(name))
    fail(field,
         fmt::format("is {}; a name has 1 to 100 letters, digits, '.', '_' and '-'", shown(name)));
  return name;
}

std::vector<std::string> JsonReader::texts(const std::string& field) const {
  const json& value = get(field);
  if (!value.is_array() ||
      !std::all_of(value.begin(), value.end(), [](const json& part) { return part.is_string(); }))
    fail(field, fmt::format("is {}; it must be a list of layers' names", shown(value)));
  return value.get<std::vector<std::string>>();
}

}  // namespace xnorbench
