#include "bench/records/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/records/network_memory_csv.h"
#include "bench/records/run_description.h"
#include "core/error.h"
#include "core/files.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Same command, program and machine: rows of one description.
bool same_run(const Json& earlier, const Json& now) {
  for (const char* part :
       {"command", "project", "build", "libraries", "machine", "environment", "gpu"})
    if (!earlier.contains(part) || earlier[part] != now[part]) return false;
  return true;
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, const std::vector<std::string>& command,
                     const std::vector<const Implementation*>& implementations)
    : path_(path) {
  if (path_.empty()) return;
  const Json description = describe_run(command, implementations);
  run_json_ = description.dump();
  std::error_code error;
  if (!fs::exists(path_ / "run.json", error)) {
    check_empty();
    return;
  }
  Json earlier;
  try {
    std::ifstream stream(path_ / "run.json");
    earlier = Json::parse(stream);
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{} is not a run's description; give a new folder with --out=DIR",
                                 (path_ / "run.json").string()));
  }
  const bool unfinished =
      earlier.is_object() && earlier.contains("finished") && earlier["finished"].is_null();
  if (!unfinished || !same_run(earlier, description))
    throw InputError(
        fmt::format("{} holds another run; give a new folder with --out=DIR (an interrupted run is "
                    "continued by its own command, program and machine)",
                    path_.string()));
  run_json_ = earlier.dump();
  lock();
  resume();
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

void RunFolder::check_empty() const {
  std::error_code error;
  if (fs::status(path_, error).type() == fs::file_type::none)
    throw InputError(
        fmt::format("cannot write a run into {} ({}); give another folder with --out=DIR",
                    path_.string(), error.message()));
  std::vector<std::string> own{"peaks.csv", "budget.csv", "savings.csv", "claims.csv",
                               "without_fma"};
  for (const CsvFile& file : files_) own.push_back(file.name());
  for (const std::string& name : own)
    if (fs::exists(fs::symlink_status(path_ / name, error)))
      throw InputError(
          fmt::format("{} holds a {} that is not this run's; give a new folder with --out=DIR",
                      path_.string(), name));
  if (fs::is_symlink(fs::symlink_status(path_, error)) && !fs::exists(path_, error))
    throw InputError(
        fmt::format("{} is a link to nothing; give another folder with --out=DIR", path_.string()));
  // The nearest folder that is there must take files.
  fs::path existing = fs::absolute(path_, error);
  while (!existing.empty() && existing != existing.parent_path() && !fs::exists(existing, error))
    existing = existing.parent_path();
  if (!fs::is_directory(existing, error) || access(existing.c_str(), W_OK | X_OK) != 0)
    throw InputError(
        fmt::format("cannot write a run into {}: {} is not a folder that can be written; give "
                    "another with --out=DIR",
                    path_.string(), existing.string()));
}

void RunFolder::lock() {
  lock_ = ::open((path_ / completed_csv().file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError(
        fmt::format("cannot write into {}; give another folder with --out=DIR", path_.string()));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw InputError(
        fmt::format("another xnorbench is writing into {}; give another folder with --out=DIR",
                    path_.string()));
}

void RunFolder::resume() {
  std::ifstream stream(path_ / completed_csv().file);
  std::string line;
  std::uintmax_t accepted_bytes = 0;
  std::vector<std::uintmax_t> noted_bytes(files_.size(), 0);
  // All files are at least as long as was noted: after a power cut they may not be.
  auto is_kept = [this](const CompletedRow& row) {
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (row.file_bytes[i] > files_[i].bytes(path_)) return false;
    return true;
  };
  if (std::getline(stream, line) && line == completed_csv().header() && !stream.eof()) {
    accepted_bytes = line.size() + 1;
    while (std::getline(stream, line) && !stream.eof()) {
      const std::optional<CompletedRow> row = parse_completed(line);
      if (!row || !is_kept(*row)) break;
      completed_[row->key()] = row->result;
      noted_bytes = row->file_bytes;
      accepted_bytes += line.size() + 1;
    }
  }
  stream.close();
  std::error_code error;
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (const fs::path file = path_ / files_[i].name(); fs::exists(file, error))
      fs::resize_file(file, noted_bytes[i], error);
  if (!error) fs::resize_file(path_ / completed_csv().file, accepted_bytes, error);
  if (error)
    throw InputError(fmt::format("cannot write into {}: {}", path_.string(), error.message()));
}

void RunFolder::begin() {
  if (!path_.empty()) open();
}

void RunFolder::open() {
  if (is_open_) return;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    throw InputError(fmt::format("cannot create the folder {} ({}); give another with --out=DIR",
                                 path_.string(), error.message()));
  if (lock_ < 0) lock();
  write_run_json();
  for (CsvFile& file : files_)
    if (file.begins() == CsvFile::Begins::with_the_run) file.open(path_);
  completed_file_.open(path_);
  is_open_ = true;
}

CsvFile& RunFolder::file_of(const std::string& name) {
  return *std::find_if(files_.begin(), files_.end(),
                       [&](const CsvFile& file) { return file.name() == name; });
}

const CompletedRepetition* RunFolder::find(const std::string& case_name, int repetition) const {
  const auto found = completed_.find(CompletedRow{case_name, repetition, {}, {}}.key());
  return found == completed_.end() ? nullptr : &found->second;
}

void RunFolder::complete(const std::string& case_name, int repetition,
                         const CompletedRepetition& result) {
  CompletedRow row{case_name, repetition, result, {}};
  completed_[row.key()] = result;
  if (path_.empty()) return;
  for (const CsvFile& file : files_) row.file_bytes.push_back(file.bytes(path_));
  completed_file_.append(completed_csv().line(row));
}

void RunFolder::add(const SampledRecord& repetition, const std::vector<SampledRecord>& further) {
  auto write = [this](const SampledRecord& row) {
    append(records_csv(), row.record);
    for (std::size_t i = 0; i < row.samples.size(); ++i)
      append(samples_csv(), SampleRow{row.record, i, row.samples[i]});
  };
  if (!path_.empty()) {
    open();
    write(repetition);
    for (const SampledRecord& row : further) write(row);
  }
  const Record& record = repetition.record;
  complete(record.case_name, record.repetition,
           {record.status, record.time_median_ns.value_or(0), record.clock_hz.value_or(0)});
}

void RunFolder::add_memory(const NetworkMemory& memory, bool with_buffers) {
  if (path_.empty() || find(memory.key(), 0)) return;
  open();
  for (const MemoryRow& row : memory_rows(memory)) append(memory_csv(), row);
  for (const TimelineRow& row : timeline_rows(memory)) append(timeline_csv(), row);
  if (with_buffers)
    for (const BufferRow& row : buffer_rows(memory)) append(buffers_csv(), row);
  complete(memory.key(), 0, {"ok", 0, 0});
}

void RunFolder::set_peaks(const Json& peaks) {
  if (path_.empty()) return;
  Json json = Json::parse(run_json_);
  json["peaks"] = peaks;
  run_json_ = json.dump();
  if (is_open_) write_run_json();
}

void RunFolder::write_file(const std::string& name, const std::string& content) {
  open();
  write_whole((path_ / name).string(), content, "give another folder with --out=DIR");
}

void RunFolder::finish(int exit_status) {
  if (path_.empty()) return;
  open();
  Json json = Json::parse(run_json_);
  json["finished"] = utc_now();
  json["exit_status"] = exit_status;
  run_json_ = json.dump();
  write_run_json();
}

void RunFolder::write_run_json() const {
  write_whole((path_ / "run.json").string(), Json::parse(run_json_).dump(2) + "\n",
              "give another folder with --out=DIR");
}

}  // namespace xnorbench
