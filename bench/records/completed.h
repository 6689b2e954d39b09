// completed.csv: what a run has finished, and how long its files were then. An interrupted run is
// continued from there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/records/csv_table.h"

namespace xnorbench {

/// A repetition of a case that this process or an earlier part of the run measured.
struct CompletedRepetition {
  std::string status;
  double time_median_ns = 0, clock_hz = 0;  ///< 0 when there is no time
};

struct CompletedRow {
  std::string case_name;
  int repetition = 0;
  CompletedRepetition result;
  std::vector<std::uintmax_t> file_bytes;  ///< in the order of make_row_files()

  /// "case,repetition"
  std::string key() const;
};
const CsvTable<CompletedRow>& completed_csv();

/// Empty for a line that is not whole. No field holds a comma.
std::optional<CompletedRow> parse_completed(const std::string& line);

/// The repetitions in a folder's completed.csv, by key(), for a run of another process.
std::map<std::string, CompletedRepetition> read_completed(const std::filesystem::path& folder);

}  // namespace xnorbench
