// The folder of one run: run.json, records.csv, samples.csv, memory.csv, timeline.csv, buffers.csv
// (docs/schema.md).
//
// Rows are appended and flushed repetition by repetition. completed.csv notes after each how long
// the other files were: what a run that was cut off wrote beyond that is dropped when it is
// continued.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/records/network_memory.h"
#include "bench/records/record.h"

namespace xnorbench {

/// A row and its samples (ns per call).
struct SampledRecord {
  Record record;
  std::vector<double> samples;
};

/// What an earlier part of a run, or this one, has measured.
struct CompletedRepetition {
  std::string status;
  double time_median_ns = 0, clock_hz = 0;  ///< 0 when there is no time
};

/// The repetitions in a folder's completed.csv, by "case,repetition": of a run that another process
/// made.
std::map<std::string, CompletedRepetition> read_completed(const std::filesystem::path& folder);

class RunFolder {
 public:
  /// Without a folder (`path` empty) rows go nowhere. Nothing is created before the first row.
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

  /// Makes the folder and its run.json before the first row, for what else goes into it.
  void begin();

  /// One repetition, with further rows that belong to it: all of them or, after an interruption,
  /// none.
  void add(const SampledRecord& repetition, const std::vector<SampledRecord>& further = {});
  /// `with_buffers`: also into buffers.csv.
  void add_memory(const NetworkMemory& memory, bool with_buffers = false);

  /// What was measured of the machine itself, for run.json.
  void set_peaks(const nlohmann::ordered_json& peaks);

  /// One more file, written whole.
  void add_file(const std::string& name, const std::string& content);

  /// Marks the run as finished with the program's exit status.
  void finish(int exit_status);

  const std::filesystem::path& path() const { return path_; }

 private:
  void check_empty() const;
  void resume();
  void lock();
  void open();
  void open_rows(std::ofstream& stream, const char* name, const std::string& header);
  void complete(const std::string& key, const CompletedRepetition& repetition);
  void append(std::ofstream& stream, const std::string& line);
  void write_run_json() const;

  std::filesystem::path path_;
  std::string run_json_;
  int lock_ = -1;
  bool is_open_ = false;
  std::ofstream records_, samples_, memory_, timeline_, buffers_, completed_file_;
  std::map<std::string, CompletedRepetition> completed_;  // by "case,repetition"
};

}  // namespace xnorbench
