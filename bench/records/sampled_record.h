// A record with its samples, and the rows of samples.csv.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/records/csv_table.h"
#include "bench/records/record.h"

namespace xnorbench {

struct SampledRecord {
  Record record;
  std::vector<double> samples;  ///< ns per call
};

struct SampleRow {
  const Record& record;
  std::size_t sample;  ///< counts from 0
  double time_ns;
};

inline const CsvTable<SampleRow>& samples_csv() {
  static const CsvTable<SampleRow> table{
      "samples.csv",
      {
          {"case", CsvKind::text, [](const SampleRow& row) { return row.record.case_name; }},
          {"repetition", CsvKind::number,
           [](const SampleRow& row) { return csv_value(row.record.repetition); }},
          csv_column<&SampleRow::sample>("sample"),
          csv_column<&SampleRow::time_ns>("time_ns"),
      }};
  return table;
}

}  // namespace xnorbench
