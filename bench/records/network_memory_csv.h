// The rows of memory.csv, timeline.csv and buffers.csv, and their columns. All three begin with the
// columns that identify a forward pass, and so do the files of a budget (bench/memory/budget.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/records/csv_table.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// Network, implementation and the other fields that identify a forward pass.
const std::vector<CsvColumn<NetworkMemory>>& forward_pass_columns();

/// Those, and after them `further`. A Row has its forward pass as `memory`.
template <class Row>
std::vector<CsvColumn<Row>> after_forward_pass(std::vector<CsvColumn<Row>> further) {
  std::vector<CsvColumn<Row>> columns;
  for (const CsvColumn<NetworkMemory>& column : forward_pass_columns())
    columns.push_back(
        {column.name, column.kind, [&column](const Row& row) { return column.value(row.memory); }});
  for (CsvColumn<Row>& column : further) columns.push_back(std::move(column));
  return columns;
}

struct MemoryRow {
  const NetworkMemory& memory;
  std::string category;  ///< a Category, or a sum or a view of all of them (docs/schema.md)
  std::optional<std::int64_t> planned_bytes, measured_bytes;
};
const CsvTable<MemoryRow>& memory_csv();
std::vector<MemoryRow> memory_rows(const NetworkMemory& memory);

/// Bytes of one category that are alive during one step.
struct TimelineRow {
  const NetworkMemory& memory;
  std::size_t step;
  std::string layer;
  std::string category;
  std::size_t bytes;
};
const CsvTable<TimelineRow>& timeline_csv();
std::vector<TimelineRow> timeline_rows(const NetworkMemory& memory);

struct BufferRow {
  const NetworkMemory& memory;
  const MemoryBuffer& buffer;
};
const CsvTable<BufferRow>& buffers_csv();
std::vector<BufferRow> buffer_rows(const NetworkMemory& memory);

}  // namespace xnorbench
