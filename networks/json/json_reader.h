// JSON objects field by field, with errors that say where in which file and what would be right.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xnorbench {

/// Throws InputError for a file that cannot be read or is no JSON (with line and column), for a
/// field given twice, and unless it is an object.
nlohmann::json read_json_object(const std::string& file);

/// Throws InputError of one line, whatever a file put into it.
[[noreturn]] void fail_in_one_line(const std::string& message);

/// An object in a file. All methods throw InputError.
class JsonReader {
 public:
  static constexpr std::int64_t largest_size = 1'000'000;

  /// `where` begins every message. Keeps a reference to `object`.
  JsonReader(const nlohmann::json& object, std::string where)
      : object_(object), where_(std::move(where)) {}

  /// Refuses a field that is none of these.
  void allow_only(const std::vector<std::string>& fields) const;
  bool has(const std::string& field) const { return object_.contains(field); }
  /// Refuses a missing field.
  const nlohmann::json& get(const std::string& field) const;

  /// A whole number from `smallest` to largest_size; without a default it must be there.
  std::int64_t size(const std::string& field, std::int64_t smallest,
                    std::optional<std::int64_t> default_value = std::nullopt) const;
  /// A number in (low, high] or, `with_low`, [low, high].
  double number(const std::string& field, double low, bool with_low, double high,
                double default_value) const;
  std::string text(const std::string& field) const;
  /// A name: letters, digits and . _ - only, as it becomes part of case names.
  std::string name(const std::string& field) const;
  /// A list of texts.
  std::vector<std::string> texts(const std::string& field) const;

  /// "where: "field" what".
  [[noreturn]] void fail(const std::string& field, const std::string& what) const;
  const std::string& where() const { return where_; }

 private:
  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace xnorbench
