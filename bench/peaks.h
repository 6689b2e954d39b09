// This machine's ceilings, measured once per process when first needed, and the limits of cases that follow from them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/ceilings.h"
#include "core/implementation.h"
#include "networks/graph.h"

namespace xnorbench {

/// Those that limits ask for when our own vector code is for `isa`. The first call for an instruction set takes about a
/// tenth of a second, on one pinned thread.
const CoreCeilings& core_ceilings(Isa isa);

// MAC/cycle of all threads: the limit of one times their number, though threads of one core share its units. Nothing
// without a limit, as on a GPU.

std::optional<double> limit_of(const Implementation& implementation, const CpuShare& cpu);
/// Of the real-valued layers around an implementation, which a float library computes.
std::optional<double> limit_of_real_layers(const Implementation& implementation, const CpuShare& cpu);
std::optional<double> limit_of_network(const NetworkCounts& counts, const Implementation& implementation, const CpuShare& cpu);

/// MACs of a network over the cycles that its binary and its real layers need at their limits.
std::optional<double> combined_limit(const NetworkCounts& counts, std::optional<double> binary, std::optional<double> real);

/// A row of peaks.csv, an entry of run.json's `peaks`.
struct PeakRow {
  std::string isa, quantity;
  double value = 0;
  std::string unit;
};

/// Of all ceilings measured so far: rates of each instruction set and, where one was chosen, limits of implementations.
std::vector<PeakRow> measured_peaks();

/// A list of objects; null when it is empty.
nlohmann::ordered_json to_json(const std::vector<PeakRow>& peaks);

}  // namespace xnorbench
