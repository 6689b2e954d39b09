// The peak rates of one core (cpu/peak_rates.h), the bounds that follow from them (cpu/bounds.h)
// and the bandwidth of reading each level of the memory.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench/cli/flags.h"
#include "bench/commands.h"
#include "bench/measure/clock.h"
#include "bench/measure/peaks.h"
#include "bench/records/run_folder.h"
#include "bench/records/text_line.h"
#include "core/machine.h"
#include "cpu/peak_rates.h"

namespace xnorbench {
namespace {

Flags flags() {
  Flag isa = isa_flag(list_isas(","));
  isa.help = "Instruction sets to measure.";
  return {isa, out_flag()};
}

std::vector<PeakRow> measure_peaks(std::vector<Isa> isas) {
  std::sort(isas.begin(), isas.end());
  for (Isa isa : isas) core_peak_rates(isa);
  std::vector<PeakRow> peaks = measured_peaks();
  // More instruction sets were measured for the bounds than were asked for.
  std::erase_if(peaks, [&](const PeakRow& peak) {
    return peak.isa != "scalar" && std::none_of(isas.begin(), isas.end(), [&](Isa isa) {
             return to_string(isa) == peak.isa;
           });
  });
  const Pin pin(1);
  for (Isa isa : isas)
    for (const Bandwidth& level : measure_bandwidths(isa)) {
      std::string quantity = "read_" + level.level;
      std::transform(quantity.begin(), quantity.end(), quantity.begin(),
                     [](unsigned char c) { return std::tolower(c); });
      peaks.push_back({to_string(isa), quantity, level.bytes_per_cycle, "bytes/cycle"});
      peaks.push_back({to_string(isa), quantity, level.bytes_per_second * 1e-9, "GB/s"});
    }
  return peaks;
}

std::vector<std::string> distinct(const std::vector<PeakRow>& peaks, std::string PeakRow::*field) {
  std::vector<std::string> values;
  for (const PeakRow& peak : peaks)
    if (std::find(values.begin(), values.end(), peak.*field) == values.end())
      values.push_back(peak.*field);
  return values;
}

/// Quantities of one unit as rows, instruction sets as columns.
void print_table(const std::vector<PeakRow>& all, const std::string& unit) {
  std::vector<PeakRow> peaks = all;
  std::erase_if(peaks, [&](const PeakRow& peak) { return peak.unit != unit; });
  const std::vector<std::string> isas = distinct(peaks, &PeakRow::isa);
  fmt::print("\n  {:<26}", unit);
  for (const std::string& isa : isas) fmt::print("{:>14}", isa);
  fmt::print("\n");
  // The order of rows comes from the widest instruction set, which has most quantities.
  std::vector<PeakRow> widest_first = peaks;
  std::stable_sort(
      widest_first.begin(), widest_first.end(), [&](const PeakRow& a, const PeakRow& b) {
        auto place = [&](const PeakRow& p) {
          return p.isa == "scalar" ? isas.end() : std::find(isas.begin(), isas.end(), p.isa);
        };
        return place(a) > place(b);
      });
  for (const std::string& quantity : distinct(widest_first, &PeakRow::quantity)) {
    std::string line = fmt::format("  {:<26}", quantity);
    for (const std::string& isa : isas) {
      const auto found = std::find_if(peaks.begin(), peaks.end(), [&](const PeakRow& peak) {
        return peak.isa == isa && peak.quantity == quantity;
      });
      const int digits = unit == "operations/cycle" ? 2 : 1;
      line += fmt::format("{:>14}",
                          found == peaks.end() ? "" : fmt::format("{:.{}f}", found->value, digits));
    }
    print_line(line);
  }
}

int run(const Options& options) {
  std::vector<const Implementation*> on_cpu = options.implementations;
  std::erase_if(on_cpu, [](const Implementation* i) { return i->info().device != "cpu"; });
  RunFolder folder(options.out, options.argv, on_cpu);
  const double clock_hz = warm_up_clock(host_device());
  const std::vector<PeakRow> peaks = measure_peaks(options.isas);

  const Machine& m = this_machine();
  fmt::print("One thread of {}, {:.2f} GHz; L1 {} KiB, L2 {} KiB, L3 {} MiB\n", m.name,
             clock_hz * 1e-9, m.l1d_bytes >> 10, m.l2_bytes >> 10, m.l3_bytes >> 20);
  for (const std::string& unit : distinct(peaks, &PeakRow::unit)) print_table(peaks, unit);
  fmt::print(
      "\nA multiply-add is an FMA where there is one; a dot product is VPDPBUSD, or the three "
      "instructions that do its work.\n"
      "Bounds of libraries are those of the machine's best instruction set, which they choose "
      "themselves.\n"
      "docs/method.md says how peak rates are measured and how bounds follow.\n");
  if (options.out.empty()) return 0;
  folder.set_peaks(to_json(peaks));
  folder.add_file(peaks_csv(), peaks);
  folder.finish(0);
  fmt::print("\npeaks in {}\n", folder.path().string());
  return 0;
}

}  // namespace

Command peak_command() {
  return {
      .name = "peak",
      .description =
          "Measure what one core of this machine can do at most: instructions per "
          "cycle, bandwidth, and the bound of each implementation.",
      .example = "peak --isa=" + to_string(Isa::baseline),
      .example_says = "The peak rates of the instructions that all processors of this kind have.",
      .flags = flags,
      .run = run,
  };
}

}  // namespace xnorbench
