#include "bench/records/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/records/run_description.h"
#include "core/error.h"
#include "core/files.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> row_files{"records.csv", "samples.csv", "memory.csv",
                                               "timeline.csv", "buffers.csv"};
constexpr const char* completed_name = "completed.csv";
constexpr const char* completed_header =
    "case,repetition,status,time_median_ns,clock_hz,records_bytes,samples_bytes,memory_bytes,"
    "timeline_bytes,buffers_bytes";

std::uintmax_t size_of_file(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

std::string key_of(const std::string& case_name, int repetition) {
  return fmt::format("{},{}", case_name, repetition);
}

/// A line of completed.csv taken apart; no field holds a comma.
struct CompletedLine {
  std::string key;
  CompletedRepetition repetition;
  std::array<std::uintmax_t, row_files.size()> bytes{};
};

bool parse(const std::string& line, CompletedLine& parsed) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (fields.size() != 5 + row_files.size()) return false;
  parsed.key = fields[0] + "," + fields[1];
  parsed.repetition = {fields[2], std::strtod(fields[3].c_str(), nullptr),
                       std::strtod(fields[4].c_str(), nullptr)};
  for (std::size_t i = 0; i < row_files.size(); ++i)
    parsed.bytes[i] = std::strtoull(fields[5 + i].c_str(), nullptr, 10);
  return true;
}

/// Same command, program and machine: rows of one description.
bool same_run(const Json& earlier, const Json& now) {
  for (const char* part :
       {"command", "project", "build", "libraries", "machine", "environment", "gpu"})
    if (!earlier.contains(part) || earlier[part] != now[part]) return false;
  return true;
}

}  // namespace

std::map<std::string, CompletedRepetition> read_completed(const fs::path& folder) {
  std::map<std::string, CompletedRepetition> completed;
  std::ifstream stream(folder / completed_name);
  std::string line;
  CompletedLine parsed;
  while (std::getline(stream, line))
    if (line != completed_header && parse(line, parsed)) completed[parsed.key] = parsed.repetition;
  return completed;
}

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
  std::vector<std::string> own(row_files.begin(), row_files.end());
  for (const char* other : {"peaks.csv", "budget.csv", "savings.csv", "claims.csv", "without_fma"})
    own.emplace_back(other);
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
  lock_ = ::open((path_ / completed_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError(
        fmt::format("cannot write into {}; give another folder with --out=DIR", path_.string()));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw InputError(
        fmt::format("another xnorbench is writing into {}; give another folder with --out=DIR",
                    path_.string()));
}

void RunFolder::resume() {
  std::ifstream stream(path_ / completed_name);
  std::string line;
  std::uintmax_t accepted_bytes = 0;
  CompletedLine last;
  if (std::getline(stream, line) && line == completed_header && !stream.eof()) {
    accepted_bytes = line.size() + 1;
    CompletedLine parsed;
    while (std::getline(stream, line) && !stream.eof() && parse(line, parsed)) {
      bool fits = true;
      for (std::size_t i = 0; i < row_files.size(); ++i)
        fits = fits && parsed.bytes[i] <= size_of_file(path_ / row_files[i]);
      if (!fits) break;
      completed_[parsed.key] = parsed.repetition;
      last = parsed;
      accepted_bytes += line.size() + 1;
    }
  }
  stream.close();
  std::error_code error;
  for (std::size_t i = 0; i < row_files.size(); ++i)
    if (fs::exists(path_ / row_files[i], error))
      fs::resize_file(path_ / row_files[i], last.bytes[i], error);
  if (!error) fs::resize_file(path_ / completed_name, accepted_bytes, error);
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
  open_rows(records_, row_files[0], record_header());
  open_rows(samples_, row_files[1], "case,repetition,sample,time_ns");
  open_rows(memory_, row_files[2], memory_header());
  open_rows(timeline_, row_files[3], timeline_header());
  open_rows(completed_file_, completed_name, completed_header);
  is_open_ = true;
}

void RunFolder::open_rows(std::ofstream& stream, const char* name, const std::string& header) {
  const bool fresh = size_of_file(path_ / name) == 0;
  stream.open(path_ / name, std::ios::app);
  if (fresh) append(stream, header);
}

void RunFolder::append(std::ofstream& stream, const std::string& line) {
  stream << line << '\n' << std::flush;
  if (!stream)
    throw InputError(fmt::format("cannot write to {} any more; is the disk full?", path_.string()));
}

const CompletedRepetition* RunFolder::find(const std::string& case_name, int repetition) const {
  const auto found = completed_.find(key_of(case_name, repetition));
  return found == completed_.end() ? nullptr : &found->second;
}

void RunFolder::complete(const std::string& key, const CompletedRepetition& repetition) {
  completed_[key] = repetition;
  if (path_.empty()) return;
  std::string line = fmt::format("{},{},{:.1f},{:.1f}", key, repetition.status,
                                 repetition.time_median_ns, repetition.clock_hz);
  for (const char* name : row_files) line += fmt::format(",{}", size_of_file(path_ / name));
  append(completed_file_, line);
}

void RunFolder::add(const SampledRecord& repetition, const std::vector<SampledRecord>& further) {
  auto write = [this](const SampledRecord& row) {
    append(records_, to_csv(row.record));
    for (std::size_t i = 0; i < row.samples.size(); ++i)
      append(samples_, fmt::format("{},{},{},{:.1f}", row.record.case_name, row.record.repetition,
                                   i, row.samples[i]));
  };
  if (!path_.empty()) {
    open();
    write(repetition);
    for (const SampledRecord& row : further) write(row);
  }
  const Record& record = repetition.record;
  complete(key_of(record.case_name, record.repetition),
           {record.status, record.time_median_ns.value_or(0), record.clock_hz.value_or(0)});
}

void RunFolder::add_memory(const NetworkMemory& memory, bool with_buffers) {
  const std::string key = key_of(memory.key(), 0);
  if (path_.empty() || completed_.contains(key)) return;
  open();
  for (const std::string& row : memory_rows(memory)) append(memory_, row);
  for (const std::string& row : timeline_rows(memory)) append(timeline_, row);
  if (with_buffers) {
    if (!buffers_.is_open()) open_rows(buffers_, row_files[4], buffer_header());
    for (const std::string& row : buffer_rows(memory)) append(buffers_, row);
  }
  complete(key, {"ok", 0, 0});
}

void RunFolder::set_peaks(const Json& peaks) {
  if (path_.empty()) return;
  Json json = Json::parse(run_json_);
  json["peaks"] = peaks;
  run_json_ = json.dump();
  if (is_open_) write_run_json();
}

void RunFolder::add_file(const std::string& name, const std::string& content) {
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
