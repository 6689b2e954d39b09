// Measures the peak rates of one core (core/peak_rates.h) on the calling thread, which should be
// pinned.
//
// A loop of independent instructions (cpu/peak_rate_loops.h) runs for half a millisecond or more
// between two chains of dependent additions, which show the clock at that moment. The rate is a
// ratio of two times, so the clock may change and need not be known. All loops take turns for
// several rounds, so that one busy moment does not fall on all runs of one loop.
//
// The peak rate is the third largest of a loop's nine runs. Other work on the machine makes runs
// slower, never faster, so the median would be too low on a busy machine. The largest may come from
// a misread clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/peak_rates.h"

namespace xnorbench {

ScalarPeakRates measure_scalar_peak_rates();

/// Throws std::logic_error for an instruction set that this machine does not have.
VectorPeakRates measure_vector_peak_rates(Isa isa);

/// The rate of plain vector loads, again and again over a block that lies in one level of the
/// memory hierarchy.
struct Bandwidth {
  std::string level;  ///< "L1", "L2", "L3" or "DRAM"
  std::int64_t block_bytes = 0;
  double bytes_per_cycle = 0;
  double bytes_per_second = 0;
};

/// Measures the levels of known size, and DRAM if a large enough block fits the free memory. Empty
/// for an instruction set without vector loops. Takes a second or less.
std::vector<Bandwidth> measure_bandwidths(Isa isa);

}  // namespace xnorbench
