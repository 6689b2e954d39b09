#include "bench/records/csv_file.h"

#include <fmt/format.h>

#include "bench/records/network_memory_csv.h"
#include "bench/records/record.h"
#include "bench/records/sampled_record.h"
#include "core/error.h"

namespace xnorbench {

std::uintmax_t CsvFile::bytes(const std::filesystem::path& folder) const {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(folder / name_, error);
  return error ? 0 : size;
}

void CsvFile::open(const std::filesystem::path& folder) {
  if (stream_.is_open()) return;
  folder_ = folder;
  const bool is_empty = bytes(folder) == 0;
  stream_.open(folder / name_, std::ios::app);
  if (is_empty) append(header_);
}

void CsvFile::append(const std::string& line) {
  stream_ << line << '\n' << std::flush;
  if (!stream_)
    throw InputError(
        fmt::format("cannot write to {} any more; is the disk full?", folder_.string()));
}

std::vector<CsvFile> make_row_files() {
  std::vector<CsvFile> files;
  files.emplace_back(records_csv());
  files.emplace_back(samples_csv());
  files.emplace_back(memory_csv());
  files.emplace_back(timeline_csv());
  files.emplace_back(buffers_csv(), CsvFile::Begins::with_its_first_row);
  return files;
}

}  // namespace xnorbench
