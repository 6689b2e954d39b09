// This machine's peak rates, measured once per process when first needed, and the bounds of cases
// that follow from them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/implementation.h"
#include "core/peak_rates.h"
#include "networks/graph.h"

namespace xnorbench {

/// Those that bounds ask for when our own vector code is for `isa`. The first call for an
/// instruction set takes about a tenth of a second, on one pinned thread.
const CorePeakRates& core_peak_rates(Isa isa);

// MAC/cycle of all threads: the bound of one times their number, though threads of one core share
// its units. Nothing without a bound, as on a GPU.

std::optional<double> bound_of(const Implementation& implementation, const CpuShare& cpu);
/// Of the real-valued layers around an implementation, which a float library computes.
std::optional<double> bound_of_real_layers(const Implementation& implementation,
                                           const CpuShare& cpu);
std::optional<double> bound_of_network(const NetworkCounts& counts,
                                       const Implementation& implementation, const CpuShare& cpu);

/// MACs of a network over the cycles that its binary and its real layers need at their bounds.
std::optional<double> combined_bound(const NetworkCounts& counts, std::optional<double> binary,
                                     std::optional<double> real);

/// A row of peaks.csv, an entry of run.json's `peaks`.
struct PeakRow {
  std::string isa, quantity;
  double value = 0;
  std::string unit;
};

/// Of all peak rates measured so far: rates of each instruction set and, where one was chosen,
/// bounds of implementations.
std::vector<PeakRow> measured_peaks();

/// A list of objects; null when it is empty.
nlohmann::ordered_json to_json(const std::vector<PeakRow>& peaks);

}  // namespace xnorbench
