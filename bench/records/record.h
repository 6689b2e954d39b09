// One row of records.csv (docs/schema.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  /// Networks on a GPU: how a pass differs from the reference on the CPU
  /// (networks/compile/device_check.h).
  std::optional<std::int64_t> flipped_signs, moved_peaks;
  std::optional<double> largest_difference;
  std::optional<std::int64_t> samples, calls_per_sample;
  std::optional<double> time_median_ns, time_min_ns, time_p25_ns, time_p75_ns, time_mean_ns,
      time_stddev_ns;
  std::optional<double>
      host_time_median_ns;  ///< of a GPU's rows: the same calls on the host's clock
  std::optional<double> prepare_time_ns;
  std::optional<std::int64_t> macs;
  std::optional<std::int64_t> weights_bytes, activation_bytes, workspace_bytes, peak_bytes,
      unattributed_bytes;
  std::optional<double> clock_hz;
  std::optional<double> bound;  ///< MAC/cycle that the instructions allow on all threads; not a
                                ///< column, see bound_share

  /// Empty without MACs, a time or a clock; the share also without a bound.
  std::optional<double> macs_per_cycle() const;
  std::optional<double> bound_share() const;
  void set_cpu(const CpuShare& cpu);
  /// In the name of a case: "t1", "t1-avx2".
  std::string cpu_text() const;
  void set_implementation(const ImplementationInfo& info);
  /// status and reason of a case that does not run.
  void set_support(const Support& support);
  void set_times(const Summary& summary, std::int64_t sample_count);
  /// For an output that turned out wrong.
  void clear_times();
  void set_deviation(const Deviation& deviation);
  void set_memory(const MemoryUse& peak, std::int64_t resident_growth);
};

std::string record_header();
std::string to_csv(const Record& record);

/// A field with quotes where CSV needs them (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace xnorbench
