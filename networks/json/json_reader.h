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

/// Reads a file that holds one object. Throws InputError if it cannot be read, is not JSON (with
/// line and column), is no object, or gives a field twice.
nlohmann::json read_json_object(const std::string& file);

/// Throws InputError with `message` on one line, even if parts of it come from a file.
[[noreturn]] void fail_in_one_line(const std::string& message);

/// An object in a file. All methods throw InputError.
class JsonReader {
 public:
  static constexpr std::int64_t largest_size = 1'000'000;

  /// `where` begins every message. Keeps a reference to `object`.
  JsonReader(const nlohmann::json& object, std::string where)
      : object_(object), where_(std::move(where)) {}

  /// Throws if the object has a field that is none of these.
  void allow_only(const std::vector<std::string>& fields) const;
  bool has(const std::string& field) const { return object_.contains(field); }
  /// Throws if the field is missing.
  const nlohmann::json& get(const std::string& field) const;

  /// A whole number from `smallest` to largest_size. Without a default the field must be there.
  std::int64_t size(const std::string& field, std::int64_t smallest,
                    std::optional<std::int64_t> default_value = std::nullopt) const;
  /// A number in (low, high] or, `with_low`, [low, high].
  double number(const std::string& field, double low, bool with_low, double high,
                double default_value) const;
  std::string text(const std::string& field) const;
  /// A name. It becomes part of case names, so that it holds only letters, digits and . _ -
  std::string name(const std::string& field) const;
  /// A list of texts.
  std::vector<std::string> texts(const std::string& field) const;

  /// Throws with the message: where: "field" what.
  [[noreturn]] void fail(const std::string& field, const std::string& what) const;
  const std::string& where() const { return where_; }

 private:
  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace xnorbench
