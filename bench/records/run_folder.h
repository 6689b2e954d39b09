// The folder of one run: run.json, the files that grow row by row (bench/records/csv_file.h) and
// files that a command writes whole. docs/schema.md describes them.
//
// Rows are appended and flushed repetition by repetition. After each repetition, completed.csv
// notes how long the other files are. When an interrupted run is continued, rows beyond those
// lengths are dropped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/records/completed.h"
#include "bench/records/csv_file.h"
#include "bench/records/network_memory.h"
#include "bench/records/sampled_record.h"
#include "core/implementation.h"

namespace xnorbench {

class RunFolder {
 public:
  /// An empty `path` means that rows are not kept. Nothing is created before the first row.
  /// Continues the run in the folder if it had the same command, program and machine and did not
  /// finish. Throws InputError when the folder holds something else, is in use or cannot be
  /// written.
  RunFolder(const std::filesystem::path& path, const std::vector<std::string>& command,
            const std::vector<const Implementation*>& implementations);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Null when that repetition is yet to be measured.
  const CompletedRepetition* find(const std::string& case_name, int repetition) const;

  /// Creates the folder and its run.json before the first row, for other files that go into it.
  void begin();

  /// One repetition, with further rows that belong to it. After an interruption the folder has
  /// either all of them or none.
  void add(const SampledRecord& repetition, const std::vector<SampledRecord>& further = {});
  /// `with_buffers`: also into buffers.csv.
  void add_memory(const NetworkMemory& memory, bool with_buffers = false);

  /// The machine's peak rates and the bounds that follow, for run.json.
  void set_peaks(const nlohmann::ordered_json& peaks);

  /// One more file, written whole.
  template <class Row>
  void add_file(const CsvTable<Row>& table, const std::vector<Row>& rows) {
    write_file(table.file, table.text(rows));
  }

  /// Marks the run as finished with the program's exit status.
  void finish(int exit_status);

  const std::filesystem::path& path() const { return path_; }

 private:
  void check_empty() const;
  void resume();
  void lock();
  void open();
  void complete(const std::string& case_name, int repetition, const CompletedRepetition& result);
  /// Appends a row to the file of its table.
  template <class Row>
  void append(const CsvTable<Row>& table, const Row& row) {
    CsvFile& file = file_of(table.file);
    file.open(path_);
    file.append(table.line(row));
  }
  CsvFile& file_of(const std::string& name);
  void write_file(const std::string& name, const std::string& content);
  void write_run_json() const;

  std::filesystem::path path_;
  std::string run_json_;
  int lock_ = -1;
  bool is_open_ = false;
  std::vector<CsvFile> files_ = make_row_files();
  CsvFile completed_file_{completed_csv()};
  std::map<std::string, CompletedRepetition> completed_;  // by CompletedRow::key()
};

}  // namespace xnorbench
