#include "bench/records/network_memory_csv.h"

namespace xnorbench {

const std::vector<CsvColumn<NetworkMemory>>& forward_pass_columns() {
  static const std::vector<CsvColumn<NetworkMemory>> columns{
      csv_column<&NetworkMemory::network>("network"),
      csv_column<&NetworkMemory::implementation>("implementation"),
      csv_column<&NetworkMemory::limited_to>("limited_to"),
      csv_column<&NetworkMemory::float_backend>("float_backend"),
      csv_column<&NetworkMemory::policy>("policy"),
      csv_column<&NetworkMemory::batch>("batch"),
      csv_column<&NetworkMemory::threads>("threads"),
      csv_column<&NetworkMemory::seed>("seed"),
      csv_column<&NetworkMemory::input>("input"),
  };
  return columns;
}

const CsvTable<MemoryRow>& memory_csv() {
  static const CsvTable<MemoryRow> table{
      "memory.csv", after_forward_pass<MemoryRow>({
                        csv_column<&MemoryRow::category>("category"),
                        csv_column<&MemoryRow::planned_bytes>("planned_bytes"),
                        csv_column<&MemoryRow::measured_bytes>("measured_bytes"),
                    })};
  return table;
}

std::vector<MemoryRow> memory_rows(const NetworkMemory& memory) {
  using Bytes = std::optional<std::int64_t>;
  std::vector<MemoryRow> rows;
  auto add = [&](std::string_view category, Bytes planned, Bytes measured) {
    rows.push_back({memory, std::string(category), planned, measured});
  };
  auto signed_bytes = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes); };
  const Bytes measured_total =
      memory.measured ? Bytes(signed_bytes(memory.measured->total())) : std::nullopt;
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto category = static_cast<Category>(i);
    add(to_string(category), signed_bytes(memory.planned[category]),
        memory.measured ? Bytes(signed_bytes((*memory.measured)[category])) : std::nullopt);
  }
  if (memory.measured) add("unattributed", std::nullopt, *memory.resident_growth - *measured_total);
  add("total", signed_bytes(memory.planned.total()), measured_total);
  if (memory.measured) add("outside", std::nullopt, memory.resident_growth);
  if (memory.peak_resident_growth) add("outside_peak", std::nullopt, memory.peak_resident_growth);
  add("arena", signed_bytes(memory.arena_bytes), std::nullopt);
  add("arena_lower_bound", signed_bytes(memory.arena_lower_bound), std::nullopt);
  return rows;
}

const CsvTable<TimelineRow>& timeline_csv() {
  static const CsvTable<TimelineRow> table{"timeline.csv",
                                           after_forward_pass<TimelineRow>({
                                               csv_column<&TimelineRow::step>("step"),
                                               csv_column<&TimelineRow::layer>("layer"),
                                               csv_column<&TimelineRow::category>("category"),
                                               csv_column<&TimelineRow::bytes>("bytes"),
                                           })};
  return table;
}

std::vector<TimelineRow> timeline_rows(const NetworkMemory& memory) {
  std::vector<TimelineRow> rows;
  for (std::size_t step = 0; step < memory.timeline.size(); ++step) {
    const auto& [layer, use] = memory.timeline[step];
    for (std::size_t i = 0; i < category_count; ++i)
      if (const auto category = static_cast<Category>(i); use[category] > 0)
        rows.push_back({memory, step, layer, std::string(to_string(category)), use[category]});
  }
  return rows;
}

const CsvTable<BufferRow>& buffers_csv() {
  using Row = BufferRow;
  static const CsvTable<Row> table{
      "buffers.csv",
      after_forward_pass<Row>({
          {"layer", CsvKind::text, [](const Row& r) { return r.buffer.layer; }},
          {"module", CsvKind::text, [](const Row& r) { return r.buffer.module; }},
          {"kind", CsvKind::text, [](const Row& r) { return r.buffer.kind; }},
          {"form", CsvKind::text, [](const Row& r) { return r.buffer.form; }},
          {"category", CsvKind::text,
           [](const Row& r) { return std::string(to_string(r.buffer.category)); }},
          {"bytes", CsvKind::number, [](const Row& r) { return csv_value(r.buffer.bytes); }},
          {"birth_step", CsvKind::number, [](const Row& r) { return csv_value(r.buffer.birth); }},
          {"death_step", CsvKind::number, [](const Row& r) { return csv_value(r.buffer.death); }},
          {"at_peak", CsvKind::text,
           [](const Row& r) { return csv_value(r.buffer.planned_at_peak); }},
      })};
  return table;
}

std::vector<BufferRow> buffer_rows(const NetworkMemory& memory) {
  std::vector<BufferRow> rows;
  for (const MemoryBuffer& buffer : memory.buffers) rows.push_back({memory, buffer});
  return rows;
}

}  // namespace xnorbench
