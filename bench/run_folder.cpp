#include "bench/run_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/build_info.h"
#include "bench/run_description.h"
#include "core/error.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;

std::ofstream open(const fs::path& file, const std::string& header) {
  const bool fresh = !fs::exists(file);
  std::ofstream stream(file, std::ios::app);
  if (fresh) stream << header << '\n' << std::flush;
  if (!stream)
    throw InputError(fmt::format("cannot write {}; give a folder that can be written with --out=DIR", file.string()));
  return stream;
}

void append(std::ofstream& stream, const std::string& line, const fs::path& folder) {
  stream << line << '\n' << std::flush;
  if (!stream) throw InputError(fmt::format("cannot write to {} any more; is the disk full?", folder.string()));
}

std::string repetition_key(const std::string& case_name, int repetition) {
  return fmt::format("{},{}", case_name, repetition);
}

nlohmann::ordered_json read_run_json(const fs::path& file) {
  std::ifstream stream(file);
  try {
    return nlohmann::ordered_json::parse(stream);
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{} is not a run's description; give another folder with --out=DIR", file.string()));
  }
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, const std::vector<std::string>& command) : path_(path) {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    throw InputError(fmt::format("cannot create the folder {} ({}); give one that can be written with --out=DIR",
                                 path_.string(), error.message()));
  if (fs::exists(path_ / "run.json")) {
    const nlohmann::ordered_json earlier = read_run_json(path_ / "run.json");
    const bool unfinished = earlier.contains("finished") && earlier["finished"].is_null();
    if (!unfinished || earlier.value("command", std::vector<std::string>{}) != command)
      throw InputError(fmt::format("{} holds another run; give a new folder with --out=DIR (an interrupted run is "
                                   "continued by its own command)",
                                   path_.string()));
    run_json_ = earlier.dump();
    resume();
  } else {
    run_json_ = describe_run(command).dump();
  }
  records_ = open(path_ / "records.csv", record_header());
  samples_ = open(path_ / "samples.csv", "case,repetition,sample,time_ns");
  memory_ = open(path_ / "memory.csv",
                 "network,implementation,policy,batch,threads,category,planned_bytes,measured_bytes");
  completed_file_ = open(path_ / "completed.csv", "case,repetition,records_bytes,samples_bytes,memory_bytes");
  write_run_json();
}

void RunFolder::resume() {
  std::ifstream stream(path_ / "completed.csv");
  std::string line;
  std::getline(stream, line);
  std::uintmax_t sizes[3] = {0, 0, 0};
  while (std::getline(stream, line)) {
    if (stream.eof()) break;  // cut off within the line
    // Sizes are the last three fields; no field holds a comma.
    std::size_t end = line.size();
    for (int i = 2; i >= 0; --i) {
      const std::size_t comma = line.rfind(',', end - 1);
      sizes[i] = std::strtoull(line.c_str() + comma + 1, nullptr, 10);
      end = comma;
    }
    completed_.insert(line.substr(0, end));
  }
  const char* const files[] = {"records.csv", "samples.csv", "memory.csv"};
  for (int i = 0; i < 3; ++i) {
    const fs::path file = path_ / files[i];
    if (completed_.empty())
      fs::remove(file);
    else if (fs::exists(file) && fs::file_size(file) > sizes[i])
      fs::resize_file(file, sizes[i]);
  }
  if (completed_.empty()) fs::remove(path_ / "completed.csv");
}

bool RunFolder::has(const std::string& case_name, int repetition) const {
  return completed_.contains(repetition_key(case_name, repetition));
}

void RunFolder::complete(const std::string& key) {
  completed_.insert(key);
  append(completed_file_,
         fmt::format("{},{},{},{}", key, fs::file_size(path_ / "records.csv"), fs::file_size(path_ / "samples.csv"),
                     fs::file_size(path_ / "memory.csv")),
         path_);
}

void RunFolder::add(const Record& record, const std::vector<double>& samples) {
  if (path_.empty()) return;
  append(records_, to_csv(record), path_);
  for (std::size_t i = 0; i < samples.size(); ++i)
    append(samples_, fmt::format("{},{},{},{:.1f}", record.case_name, record.repetition, i, samples[i]), path_);
  complete(repetition_key(record.case_name, record.repetition));
}

void RunFolder::add_memory(const MemoryRow& row) {
  if (path_.empty()) return;
  const std::string prefix =
      fmt::format("{},{},{},{},{}", row.network, row.implementation, row.policy, row.batch, row.threads);
  const std::string key = repetition_key("memory/" + row.network + "/" + row.implementation + "/n" +
                                             std::to_string(row.batch) + "/t" + std::to_string(row.threads),
                                         0);
  if (completed_.contains(key)) return;
  auto add_row = [&](std::string_view category, const std::string& planned, std::int64_t measured) {
    append(memory_, fmt::format("{},{},{},{}", prefix, category, planned, measured), path_);
  };
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto category = static_cast<Category>(i);
    add_row(to_string(category), std::to_string(row.planned[category]),
            static_cast<std::int64_t>(row.measured[category]));
  }
  const auto measured = static_cast<std::int64_t>(row.measured.total());
  add_row("unattributed", "", row.resident_growth - measured);
  add_row("total", std::to_string(row.planned.total()), measured);
  add_row("outside", "", row.resident_growth);
  complete(key);
}

void RunFolder::finish(int exit_status) {
  if (path_.empty()) return;
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(run_json_);
  json["finished"] = utc_now();
  json["exit_status"] = exit_status;
  run_json_ = json.dump();
  write_run_json();
}

void RunFolder::write_run_json() const {
  // By way of another name: a reader never sees half a file.
  const fs::path file = path_ / "run.json";
  const fs::path fresh = path_ / "run.json.new";
  std::ofstream stream(fresh);
  stream << nlohmann::ordered_json::parse(run_json_).dump(2) << '\n' << std::flush;
  if (!stream) throw InputError(fmt::format("cannot write {}; give another folder with --out=DIR", file.string()));
  stream.close();
  fs::rename(fresh, file);
}

}  // namespace xnorbench
