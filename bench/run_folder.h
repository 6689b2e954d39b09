// The folder of one run: run.json, records.csv, samples.csv, memory.csv (docs/schema.md).
//
// Rows are appended and flushed repetition by repetition. completed.csv notes, after each, how long the
// other files were: what a run that was cut off wrote beyond that is dropped when it is continued.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "bench/record.h"
#include "core/memory.h"

namespace xnorbench {

class RunFolder {
 public:
  /// Without a folder (`path` empty) rows go nowhere. Otherwise creates it, or continues the run in it
  /// if that had the same `command` and did not finish. Throws InputError when it holds another run,
  /// or cannot be written.
  RunFolder(const std::filesystem::path& path, const std::vector<std::string>& command);

  bool has(const std::string& case_name, int repetition) const;
  /// One repetition: its row and its samples (ns per call).
  void add(const Record& record, const std::vector<double>& samples);

  struct MemoryRow {
    std::string network, implementation, policy;
    std::int64_t batch = 1;
    int threads = 1;
    MemoryUse planned, measured;
    std::int64_t resident_growth = 0;
  };
  void add_memory(const MemoryRow& row);

  /// Marks the run as finished with the program's exit status.
  void finish(int exit_status);

  const std::filesystem::path& path() const { return path_; }

 private:
  void resume();
  void complete(const std::string& key);
  void write_run_json() const;

  std::filesystem::path path_;
  std::string run_json_;
  std::ofstream records_, samples_, memory_, completed_file_;
  std::set<std::string> completed_;  // "case,repetition"
};

}  // namespace xnorbench
