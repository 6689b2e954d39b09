#include "bench/cases/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "bench/cases/data_folder.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* ending = ".txt";

fs::path shape_folder() { return data_folder() / "shapes"; }

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

/// The lines of a text file, without the byte order mark that some editors write.
std::vector<std::string> read_lines(const fs::path& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (lines.empty() && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    lines.push_back(trimmed(line));
  }
  return lines;
}

std::vector<ConvProblem> load_file(const std::string& file, const ShapeFormat& format) {
  std::error_code none;
  if (!fs::is_regular_file(file, none))
    throw InputError(fmt::format("--shapes={}: no such file", file));
  std::vector<ConvProblem> problems;
  int number = 0;
  for (const std::string& line : read_lines(file)) {
    ++number;
    const std::string text = trimmed(line.substr(0, line.find('#')));
    if (text.empty()) continue;
    try {
      problems.push_back(format.parse(text));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  if (problems.empty())
    throw InputError(
        fmt::format("{}: no shapes in it; expected one a line, as in {}", file, format.example));
  return problems;
}

bool is_file(const std::string& text) {
  return text.ends_with(ending) || text.find('/') != std::string::npos;
}

/// Whether the text begins as shapes do, with a field of one or two letters and a number, or "pad".
bool is_like_shape(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
  const std::string letters(text.begin(), end);
  return end != text.end() && (std::isdigit(static_cast<unsigned char>(*end)) || *end == '-') &&
         (letters == "pad" || letters.size() == 1 || letters.size() == 2);
}

[[noreturn]] void throw_unknown_shapes(const std::string& text, const ShapeFormat& format) {
  std::vector<std::string> names;
  for (const ShapeFile& file : all_shape_files()) names.push_back(file.name);
  const std::string nearest = nearest_name(text, names);
  throw InputError(fmt::format(
      "--shapes: '{}' is neither a shape, as in {}, nor a shape file in {}{} (there: {}); "
      "write a file of your own as ./{}",
      text, format.example, shape_folder().string(),
      nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest),
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")), text));
}

std::vector<ConvProblem> load_part(const std::string& text, const ShapeFormat& format) {
  if (is_file(text)) return load_file(text, format);
  if (is_like_shape(text)) return {format.parse(text)};
  for (const ShapeFile& file : all_shape_files())
    if (file.name == text) return load_file(file.path.string(), format);
  try {
    return {format.parse(text)};  // shapes may also begin with a word, as in zerominus_ic64
  } catch (const InputError&) {
    throw_unknown_shapes(text, format);
  }
}

}  // namespace

std::vector<ShapeFile> all_shape_files() {
  std::vector<ShapeFile> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(shape_folder(), none)) {
    if (entry.path().extension() != ending) continue;
    const std::vector<std::string> lines = read_lines(entry.path());
    const std::string first = lines.empty() ? "" : lines.front();
    files.push_back(
        {entry.path().stem().string(), trimmed(first.substr(first.find('#') + 1)), entry.path()});
  }
  std::sort(files.begin(), files.end(),
            [](const ShapeFile& a, const ShapeFile& b) { return a.name < b.name; });
  return files;
}

std::vector<ConvProblem> load_problems(const std::string& shapes, const ShapeFormat& format) {
  std::error_code none;
  if (is_file(shapes) && fs::is_regular_file(shapes, none))  // its name may hold commas
    return load_file(shapes, format);
  std::vector<ConvProblem> problems;
  for (const std::string& part : split_list("--shapes", shapes)) {
    const std::vector<ConvProblem> more = load_part(trimmed(part), format);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  return problems;
}

}  // namespace xnorbench
