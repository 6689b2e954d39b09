#include "bench/records/completed.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bench/records/csv_file.h"

namespace xnorbench {
namespace {

using Columns = std::vector<CsvColumn<CompletedRow>>;

/// "records_bytes" and so on, one for each file that rows go to.
void add_length_columns(Columns& columns) {
  const std::vector<CsvFile> files = make_row_files();
  for (std::size_t i = 0; i < files.size(); ++i)
    columns.push_back({std::filesystem::path(files[i].name()).stem().string() + "_bytes",
                       CsvKind::number,
                       [i](const CompletedRow& row) { return csv_value(row.file_bytes[i]); }});
}

Columns make_columns() {
  using Row = CompletedRow;
  Columns columns{
      csv_column<&Row::case_name>("case"),
      csv_column<&Row::repetition>("repetition"),
      {"status", CsvKind::text, [](const Row& r) { return r.result.status; }},
      {"time_median_ns", CsvKind::number,
       [](const Row& r) { return csv_value(r.result.time_median_ns); }},
      {"clock_hz", CsvKind::number, [](const Row& r) { return csv_value(r.result.clock_hz); }},
  };
  add_length_columns(columns);
  return columns;
}

}  // namespace

std::string CompletedRow::key() const { return fmt::format("{},{}", case_name, repetition); }

const CsvTable<CompletedRow>& completed_csv() {
  static const CsvTable<CompletedRow> table{"completed.csv", make_columns()};
  return table;
}

std::optional<CompletedRow> parse_completed(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (fields.size() != completed_csv().columns.size()) return std::nullopt;
  CompletedRow row{
      fields[0],
      std::atoi(fields[1].c_str()),
      {fields[2], std::strtod(fields[3].c_str(), nullptr), std::strtod(fields[4].c_str(), nullptr)},
      {}};
  for (std::size_t i = 5; i < fields.size(); ++i)
    row.file_bytes.push_back(std::strtoull(fields[i].c_str(), nullptr, 10));
  return row;
}

std::map<std::string, CompletedRepetition> read_completed(const std::filesystem::path& folder) {
  std::map<std::string, CompletedRepetition> completed;
  std::ifstream stream(folder / completed_csv().file);
  const std::string header = completed_csv().header();
  for (std::string line; std::getline(stream, line);)
    if (const auto row = parse_completed(line); row && line != header)
      completed[row->key()] = row->result;
  return completed;
}

}  // namespace xnorbench
