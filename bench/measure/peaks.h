// This machine's peak rates, and the bounds of cases that follow from them. A rate is measured once
// per process, when it is first needed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/records/csv_table.h"
#include "core/implementation.h"
#include "core/peak_rates.h"
#include "networks/graph.h"

namespace xnorbench {

/// The rates from which bounds follow when this project's vector code is limited to `isa`. The
/// first call for an instruction set takes about a tenth of a second, on one pinned thread.
const CorePeakRates& core_peak_rates(Isa isa);

// Bounds in MAC/cycle of all threads together: the bound of one thread times their number. Threads
// that share a core cannot reach it. Empty without a bound, as on a GPU.

std::optional<double> bound_of(const Implementation& implementation, const CpuShare& cpu);
/// The bound of the real-valued layers around an implementation. A float library computes them.
std::optional<double> bound_of_real_layers(const Implementation& implementation,
                                           const CpuShare& cpu);
std::optional<double> bound_of_network(const NetworkCounts& counts,
                                       const Implementation& implementation, const CpuShare& cpu);

/// A network's MACs over its cycles when its binary and its real layers run at their own bounds.
std::optional<double> combined_bound(const NetworkCounts& counts, std::optional<double> binary,
                                     std::optional<double> real);

/// A row of peaks.csv, and an entry of `peaks` in run.json.
struct PeakRow {
  std::string isa, quantity;
  double value = 0;
  std::string unit;
};
const CsvTable<PeakRow>& peaks_csv();

/// All peak rates measured so far, and the bounds of implementations for each instruction set that
/// core_peak_rates() was called for.
std::vector<PeakRow> measured_peaks();

/// A list of objects; null when it is empty.
nlohmann::ordered_json to_json(const std::vector<PeakRow>& peaks);

}  // namespace xnorbench
