#include "bench/records/record.h"

#include <fmt/format.h>

namespace xnorbench {

std::optional<double> Record::macs_per_cycle() const {
  if (macs.value_or(0) == 0 || !time_median_ns || !clock_hz) return std::nullopt;
  return static_cast<double>(*macs) / (*time_median_ns * 1e-9 * *clock_hz);
}

std::optional<double> Record::bound_share() const {
  const std::optional<double> reached = macs_per_cycle();
  return reached && bound ? std::optional(*reached / *bound) : std::nullopt;
}

void Record::set_cpu(const CpuShare& cpu) {
  threads = cpu.threads;
  limited_to = limitation(cpu.isa);
}

std::string Record::cpu_text() const {
  return limited_to.empty() ? fmt::format("t{}", threads)
                            : fmt::format("t{}-{}", threads, limited_to);
}

void Record::set_implementation(const ImplementationInfo& info) {
  implementation = info.name;
  device = info.device;
  arithmetic = info.arithmetic;
}

void Record::set_times(const Summary& summary, std::int64_t sample_count) {
  samples = sample_count;
  time_median_ns = summary.median;
  time_min_ns = summary.minimum;
  time_p25_ns = summary.p25;
  time_p75_ns = summary.p75;
  time_mean_ns = summary.mean;
  time_stddev_ns = summary.stddev;
}

void Record::clear_times() {
  for (auto* time : {&time_median_ns, &time_min_ns, &time_p25_ns, &time_p75_ns, &time_mean_ns,
                     &time_stddev_ns, &host_time_median_ns})
    time->reset();
}

void Record::set_deviation(const Deviation& deviation) {
  flipped_signs = deviation.flipped_signs;
  largest_difference = deviation.largest_difference;
  moved_peaks = deviation.moved_peaks;
}

void Record::set_memory(const MemoryUse& peak, std::int64_t resident_growth) {
  auto sum = [&peak](std::initializer_list<Category> categories) {
    std::size_t bytes = 0;
    for (Category category : categories) bytes += peak[category];
    return static_cast<std::int64_t>(bytes);
  };
  weights_bytes = sum({Category::weights_packed, Category::weights_real, Category::parameters});
  activation_bytes =
      sum({Category::input_output, Category::activations_real, Category::activations_bits});
  workspace_bytes = sum({Category::workspace_columns, Category::workspace_library});
  peak_bytes = static_cast<std::int64_t>(peak.total());
  unattributed_bytes = resident_growth - *peak_bytes;
}

}  // namespace xnorbench
