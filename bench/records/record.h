// One row of records.csv, and its columns. A new column is a field, a line in the table below, and
// its meaning in docs/schema.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/records/csv_table.h"
#include "bench/records/statistics.h"
#include "core/implementation.h"
#include "networks/deviation.h"

namespace xnorbench {

/// Fields that do not apply stay empty.
struct Record {
  std::string case_name, kind, network, layer, part, problem;
  std::string implementation, device, arithmetic;
  KernelName kernel;
  std::string float_backend, source, destination;
  std::int64_t batch = 1;
  int threads = 1;
  std::string limited_to;  ///< an instruction set below this machine's best; otherwise empty
  std::string cache;
  std::uint64_t seed = 0;
  std::string input;
  int repetition = 0;
  std::string status = "ok", reason;
  bool verified = false;
  std::string output_hash;
  /// Networks on a GPU: how a forward pass differs from the reference on the CPU
  /// (networks/compile/device_check.h).
  std::optional<std::int64_t> flipped_signs, moved_peaks;
  std::optional<double> largest_difference;
  std::optional<std::int64_t> samples, calls_per_sample;
  std::optional<double> time_median_ns, time_min_ns, time_p25_ns, time_p75_ns, time_mean_ns,
      time_stddev_ns;
  /// Rows of a GPU: the same calls on the host's clock.
  std::optional<double> host_time_median_ns;
  std::optional<double> prepare_time_ns;
  std::optional<std::int64_t> macs;
  std::optional<std::int64_t> weights_bytes, activation_bytes, workspace_bytes, peak_bytes,
      unattributed_bytes;
  std::optional<double> clock_hz;
  /// MAC/cycle that the instructions allow on all threads. No column: bound_share() is.
  std::optional<double> bound;

  // Empty without MACs, a time or a clock; the share also without a bound.
  std::optional<double> macs_per_cycle() const;
  std::optional<double> bound_share() const;
  void set_cpu(const CpuShare& cpu);
  /// In the name of a case: "t1", "t1-avx2".
  std::string cpu_text() const;
  void set_implementation(const ImplementationInfo& info);
  void set_times(const Summary& summary, std::int64_t sample_count);
  /// A wrong output has no time.
  void clear_times();
  void set_deviation(const Deviation& deviation);
  void set_memory(const MemoryUse& peak, std::int64_t resident_growth);
};

inline const CsvTable<Record>& records_csv() {
  static const CsvTable<Record> table{
      "records.csv",
      {
          csv_column<&Record::case_name>("case"),
          csv_column<&Record::kind>("kind"),
          csv_column<&Record::network>("network"),
          csv_column<&Record::layer>("layer"),
          csv_column<&Record::part>("part"),
          csv_column<&Record::problem>("problem"),
          csv_column<&Record::implementation>("implementation"),
          csv_column<&Record::device>("device"),
          csv_column<&Record::arithmetic>("arithmetic"),
          {"isa", CsvKind::text, [](const Record& r) { return r.kernel.isa; }},
          csv_column<&Record::limited_to>("limited_to"),
          {"library_kernel", CsvKind::text, [](const Record& r) { return r.kernel.library; }},
          csv_column<&Record::float_backend>("float_backend"),
          csv_column<&Record::source>("source"),
          csv_column<&Record::destination>("destination"),
          csv_column<&Record::batch>("batch"),
          csv_column<&Record::threads>("threads"),
          csv_column<&Record::cache>("cache"),
          csv_column<&Record::seed>("seed"),
          csv_column<&Record::input>("input"),
          csv_column<&Record::repetition>("repetition"),
          csv_column<&Record::status>("status"),
          csv_column<&Record::reason>("reason"),
          csv_column<&Record::verified>("verified"),
          csv_column<&Record::output_hash>("output_hash"),
          csv_column<&Record::flipped_signs>("flipped_signs"),
          {"largest_difference", CsvKind::number,
           [](const Record& r) { return csv_significant(r.largest_difference, 6); }},
          csv_column<&Record::moved_peaks>("moved_peaks"),
          csv_column<&Record::samples>("samples"),
          csv_column<&Record::calls_per_sample>("calls_per_sample"),
          csv_column<&Record::time_median_ns>("time_median_ns"),
          csv_column<&Record::time_min_ns>("time_min_ns"),
          csv_column<&Record::time_p25_ns>("time_p25_ns"),
          csv_column<&Record::time_p75_ns>("time_p75_ns"),
          csv_column<&Record::time_mean_ns>("time_mean_ns"),
          csv_column<&Record::time_stddev_ns>("time_stddev_ns"),
          csv_column<&Record::host_time_median_ns>("host_time_median_ns"),
          csv_column<&Record::prepare_time_ns>("prepare_time_ns"),
          csv_column<&Record::macs>("macs"),
          csv_column<&Record::weights_bytes>("weights_bytes"),
          csv_column<&Record::activation_bytes>("activation_bytes"),
          csv_column<&Record::workspace_bytes>("workspace_bytes"),
          csv_column<&Record::peak_bytes>("peak_bytes"),
          csv_column<&Record::unattributed_bytes>("unattributed_bytes"),
          csv_column<&Record::clock_hz>("clock_hz"),
          {"macs_per_cycle", CsvKind::number,
           [](const Record& r) { return csv_significant(r.macs_per_cycle(), 6); }},
          {"bound_share", CsvKind::number,
           [](const Record& r) { return csv_significant(r.bound_share(), 4); }},
      }};
  return table;
}

}  // namespace xnorbench
