#include "bench/records/record.h"

#include <fmt/format.h>

#include <functional>

namespace xnorbench {
namespace {

struct Column {
  const char* name;
  std::function<std::string(const Record&)> text;
};

template <typename Number>
std::string optional_text(const std::optional<Number>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string();
}

Column text_column(const char* name, std::string Record::*field) {
  return {name, [field](const Record& r) { return csv_field(r.*field); }};
}
Column count_column(const char* name, std::optional<std::int64_t> Record::*field) {
  return {name, [field](const Record& r) { return optional_text(r.*field, "{}"); }};
}
Column number_column(const char* name, std::optional<double> Record::*field) {
  return {name, [field](const Record& r) { return optional_text(r.*field, "{:.1f}"); }};
}

const std::vector<Column>& columns() {
  static const std::vector<Column> list{
      text_column("case", &Record::case_name),
      text_column("kind", &Record::kind),
      text_column("network", &Record::network),
      text_column("layer", &Record::layer),
      text_column("part", &Record::part),
      text_column("problem", &Record::problem),
      text_column("implementation", &Record::implementation),
      text_column("device", &Record::device),
      text_column("arithmetic", &Record::arithmetic),
      {"isa", [](const Record& r) { return csv_field(r.kernel.isa); }},
      text_column("limited_to", &Record::limited_to),
      {"library_kernel", [](const Record& r) { return csv_field(r.kernel.library); }},
      text_column("float_backend", &Record::float_backend),
      text_column("source", &Record::source),
      text_column("destination", &Record::destination),
      {"batch", [](const Record& r) { return std::to_string(r.batch); }},
      {"threads", [](const Record& r) { return std::to_string(r.threads); }},
      text_column("cache", &Record::cache),
      {"seed", [](const Record& r) { return std::to_string(r.seed); }},
      text_column("input", &Record::input),
      {"repetition", [](const Record& r) { return std::to_string(r.repetition); }},
      text_column("status", &Record::status),
      text_column("reason", &Record::reason),
      {"verified", [](const Record& r) { return std::string(r.verified ? "yes" : "no"); }},
      text_column("output_hash", &Record::output_hash),
      count_column("flipped_signs", &Record::flipped_signs),
      {"largest_difference",
       [](const Record& r) { return optional_text(r.largest_difference, "{:.6g}"); }},
      count_column("moved_peaks", &Record::moved_peaks),
      count_column("samples", &Record::samples),
      count_column("calls_per_sample", &Record::calls_per_sample),
      number_column("time_median_ns", &Record::time_median_ns),
      number_column("time_min_ns", &Record::time_min_ns),
      number_column("time_p25_ns", &Record::time_p25_ns),
      number_column("time_p75_ns", &Record::time_p75_ns),
      number_column("time_mean_ns", &Record::time_mean_ns),
      number_column("time_stddev_ns", &Record::time_stddev_ns),
      number_column("host_time_median_ns", &Record::host_time_median_ns),
      number_column("prepare_time_ns", &Record::prepare_time_ns),
      count_column("macs", &Record::macs),
      count_column("weights_bytes", &Record::weights_bytes),
      count_column("activation_bytes", &Record::activation_bytes),
      count_column("workspace_bytes", &Record::workspace_bytes),
      count_column("peak_bytes", &Record::peak_bytes),
      count_column("unattributed_bytes", &Record::unattributed_bytes),
      number_column("clock_hz", &Record::clock_hz),
      {"macs_per_cycle",
       [](const Record& r) { return optional_text(r.macs_per_cycle(), "{:.6g}"); }},
      {"bound_share", [](const Record& r) { return optional_text(r.bound_share(), "{:.4g}"); }},
  };
  return list;
}

}  // namespace

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

void Record::set_support(const Support& support) {
  status = to_string(support.status);
  reason = support.reason;
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

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string record_header() {
  std::string line;
  for (const Column& column : columns()) {
    if (!line.empty()) line += ',';
    line += column.name;
  }
  return line;
}

std::string to_csv(const Record& record) {
  std::string line;
  for (const Column& column : columns()) {
    if (&column != &columns().front()) line += ',';
    line += column.text(record);
  }
  return line;
}

}  // namespace xnorbench
