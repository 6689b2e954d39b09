// A CSV file of a run that grows row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/records/csv_table.h"

namespace xnorbench {

class CsvFile {
 public:
  enum class Begins { with_the_run, with_its_first_row };

  template <class Row>
  explicit CsvFile(const CsvTable<Row>& table, Begins begins = Begins::with_the_run)
      : name_(table.file), header_(table.header()), begins_(begins) {}

  const std::string& name() const { return name_; }
  Begins begins() const { return begins_; }
  std::uintmax_t bytes(const std::filesystem::path& folder) const;

  /// Opens it for appending and writes the header into an empty one. Does nothing if it is open.
  void open(const std::filesystem::path& folder);
  /// Writes a line through to the file; open() comes first. Throws InputError when it cannot.
  void append(const std::string& line);

 private:
  std::string name_, header_;
  Begins begins_;
  std::filesystem::path folder_;
  std::ofstream stream_;
};

/// The files that rows of a run are appended to. completed.csv notes their lengths in this order.
std::vector<CsvFile> make_row_files();

}  // namespace xnorbench
