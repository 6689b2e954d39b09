// A CSV file as a table of its columns. The header, the lines and the test of docs/schema.md are
// made from the same table, so a new column is one line in it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace xnorbench {

/// A field with quotes where CSV needs them (RFC 4180).
std::string csv_field(const std::string& text);

/// Fields with commas between them, as they are.
std::string csv_join(const std::vector<std::string>& fields);

// A value as a field: a time or a frequency with one decimal, "yes" or "no", nothing for an empty
// optional.
std::string csv_value(const std::string& value);
std::string csv_value(double value);
std::string csv_value(bool value);
template <std::integral Integer>
std::string csv_value(Integer value) {
  return std::to_string(value);
}
template <class Value>
std::string csv_value(const std::optional<Value>& value) {
  return value ? csv_value(*value) : std::string();
}

/// A number with so many significant digits.
std::string csv_significant(const std::optional<double>& value, int digits);

enum class CsvKind { text, number };

template <class Row>
struct CsvColumn {
  std::string name;
  CsvKind kind;  ///< only texts are quoted
  std::function<std::string(const Row&)> value;
};

template <class Row>
struct CsvTable {
  std::string file;  ///< its name in a run's folder
  std::vector<CsvColumn<Row>> columns;

  std::string header() const {
    std::vector<std::string> names;
    for (const CsvColumn<Row>& column : columns) names.push_back(column.name);
    return csv_join(names);
  }

  std::string line(const Row& row) const {
    std::vector<std::string> fields;
    for (const CsvColumn<Row>& column : columns) {
      const std::string value = column.value(row);
      fields.push_back(column.kind == CsvKind::text ? csv_field(value) : value);
    }
    return csv_join(fields);
  }

  /// A whole file: the header and a line for each row.
  std::string text(const std::vector<Row>& rows) const {
    std::string text = header() + "\n";
    for (const Row& row : rows) text += line(row) + "\n";
    return text;
  }
};

namespace csv_detail {

template <class Row, class Member>
Row row_of(Member Row::*);

template <class Value>
inline constexpr CsvKind kind_of = CsvKind::number;
template <>
inline constexpr CsvKind kind_of<std::string> = CsvKind::text;
template <>
inline constexpr CsvKind kind_of<bool> = CsvKind::text;

}  // namespace csv_detail

/// The column of a member: a field, or a function that takes nothing.
template <auto member>
auto csv_column(const char* name) {
  using Row = decltype(csv_detail::row_of(member));
  using Value = std::remove_cvref_t<std::invoke_result_t<decltype(member), const Row&>>;
  // One type of function for all members of a row keeps std::function cheap to compile.
  return CsvColumn<Row>{name, csv_detail::kind_of<Value>,
                        +[](const Row& row) { return csv_value(std::invoke(member, row)); }};
}

}  // namespace xnorbench
