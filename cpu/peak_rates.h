// Measures what one core does per cycle at most (core/peak_rates.h), on the calling thread, which
// should be pinned.
//
// A loop of independent instructions (cpu/peak_rate_loops.h) runs for half a millisecond or more
// between two chains of dependent additions, which tell the clock of that very moment: the rate is
// a ratio of two times, and neither a clock that changes nor an unknown one matters. All loops take
// turns for several rounds, so that one busy moment does not fall on all runs of one loop. The peak
// rate is the third largest of a loop's nine runs: others on the machine only ever make a run
// slower, so that the median would be low on a busy machine, but the largest may be one whose clock
// was misread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/peak_rates.h"

namespace xnorbench {

ScalarPeakRates measure_scalar_peak_rates();

/// Throws std::logic_error for an instruction set that this machine has not.
VectorPeakRates measure_vector_peak_rates(Isa isa);

/// Reading memory by plain vector loads, again and again over a block that lies in one level of the
/// hierarchy.
struct Bandwidth {
  std::string level;  ///< "L1", "L2", "L3" or "DRAM"
  std::int64_t block_bytes = 0;
  double bytes_per_cycle = 0;
  double bytes_per_second = 0;
};

/// Of the levels whose size is known and, for DRAM, whose block fits the memory; none where there
/// are no vector loops. A second or less.
std::vector<Bandwidth> measure_bandwidths(Isa isa);

}  // namespace xnorbench
