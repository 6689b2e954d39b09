// CSV files: a table's header and lines, and docs/schema.md, which must have every column of every
// table.
#include "bench/records/csv_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "bench/claims/claim.h"
#include "bench/measure/peaks.h"
#include "bench/memory/budget.h"
#include "bench/records/completed.h"
#include "bench/records/csv_file.h"
#include "bench/records/network_memory_csv.h"
#include "bench/records/sampled_record.h"

namespace xnorbench {
namespace {

using Names = std::vector<std::string>;

struct Row {
  std::string text;
  std::optional<double> time_ns;
  std::int64_t count = 0;
  bool good = false;
  double twice() const { return 2 * time_ns.value_or(0); }
};

const CsvTable<Row>& table() {
  static const CsvTable<Row> table{
      "rows.csv",
      {
          csv_column<&Row::text>("text"),
          csv_column<&Row::time_ns>("time_ns"),
          csv_column<&Row::count>("count"),
          csv_column<&Row::good>("good"),
          csv_column<&Row::twice>("twice"),
          {"digits", CsvKind::number, [](const Row& r) { return csv_significant(r.time_ns, 3); }},
      }};
  return table;
}

TEST(CsvTable, HasALineForEachRow) {
  EXPECT_EQ(table().text({{"plain", 1234.56, 7, true}, {}}),
            "text,time_ns,count,good,twice,digits\n"
            "plain,1234.6,7,yes,2469.1,1.23e+03\n"
            ",,0,no,0.0,\n");
}

TEST(CsvTable, QuotesTextsAlone) {
  EXPECT_EQ(table().line({"a,b \"c\"", {}, 0, false}), "\"a,b \"\"c\"\"\",,0,no,0.0,");
  const CsvTable<Row> numbers{"", {{"n", CsvKind::number, [](const Row&) { return "1,5"; }}}};
  EXPECT_EQ(numbers.line({}), "1,5");
}

/// Names in backticks in the order in which they stand, without those in parentheses.
Names names_in(const std::string& text) {
  const std::string bare = std::regex_replace(text, std::regex(R"(\([^)]*\))"), "");
  const std::regex name("`(\\w+)`");
  Names names;
  for (std::sregex_iterator found(bare.begin(), bare.end(), name), end; found != end; ++found)
    names.push_back((*found)[1]);
  return names;
}

/// The columns of each file in docs/schema.md: the first cells of a section's table of columns, or
/// the section's line that begins with a column's name.
std::map<std::string, Names> documented_columns() {
  std::map<std::string, Names> columns;
  std::ifstream page(XNORBENCH_SCHEMA);
  std::string file;
  bool is_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) {
      file = line.substr(3);
      is_table = false;
    }
    if (!file.ends_with(".csv")) continue;
    is_table = line.starts_with("|") && (is_table || line.starts_with("| column |"));
    Names names;
    if (is_table && line.starts_with("| `"))
      names = names_in(line.substr(0, line.find('|', 1)));
    else if (!is_table && line.starts_with("`") && columns[file].empty())
      names = names_in(line);
    columns[file].insert(columns[file].end(), names.begin(), names.end());
  }
  return columns;
}

template <class Row>
std::pair<std::string, Names> columns_of(const CsvTable<Row>& table) {
  Names names;
  for (const CsvColumn<Row>& column : table.columns) names.push_back(column.name);
  return {table.file, names};
}

TEST(Schema, DocumentsEveryColumnOfEveryFile) {
  const std::map<std::string, Names> tables{columns_of(records_csv()), columns_of(samples_csv()),
                                            columns_of(memory_csv()),  columns_of(timeline_csv()),
                                            columns_of(buffers_csv()), columns_of(completed_csv()),
                                            columns_of(budget_csv()),  columns_of(savings_csv()),
                                            columns_of(claims_csv()),  columns_of(peaks_csv())};
  const std::map<std::string, Names> documented = documented_columns();
  for (const auto& [file, names] : tables)
    EXPECT_EQ(documented.contains(file) ? documented.at(file) : Names{}, names) << file;
  for (const auto& [file, names] : documented) EXPECT_TRUE(tables.contains(file)) << file;
}

CompletedRow completed_row() {
  CompletedRow row;  // g++ 12 warns of a row in braces: it takes the strings for uninitialised
  row.case_name = "conv/ic1";
  row.repetition = 3;
  row.result = {"ok", 12.5, 3e9};
  row.file_bytes = {1, 22, 333, 0, 55555};
  return row;
}

TEST(Completed, ALineIsReadAsItWasWritten) {
  const CompletedRow row = completed_row();
  const auto parsed = parse_completed(completed_csv().line(row));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->key(), "conv/ic1,3");
  EXPECT_EQ(parsed->result.status, "ok");
  EXPECT_EQ(parsed->result.time_median_ns, 12.5);
  EXPECT_EQ(parsed->result.clock_hz, 3e9);
  EXPECT_EQ(parsed->file_bytes, row.file_bytes);
}

TEST(Completed, AFieldTooFewOrTooManyIsNoLine) {
  const std::string line = completed_csv().line(completed_row());
  EXPECT_FALSE(parse_completed(line.substr(0, line.rfind(','))));
  EXPECT_FALSE(parse_completed(line + ",6"));
  EXPECT_FALSE(parse_completed(""));
}

TEST(Completed, NotesEveryFileThatRowsGoTo) {
  EXPECT_EQ(completed_csv().columns.size(), 5 + make_row_files().size());
}

}  // namespace
}  // namespace xnorbench
