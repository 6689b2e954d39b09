// memory_700MB: why a binary network took about 700 MB.
#pragma once

#include <vector>

#include "bench/claims/claim.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// face_alignment at batch 1 by bnn.torch's algorithm, with buffers of its own for every module:
/// planned, and measured in one forward pass. Throws InputError if it cannot run, std::logic_error
/// if its output is wrong.
NetworkMemory measure_torch7_memory(std::uint64_t seed);

std::vector<ClaimRow> claims_of_memory(const NetworkMemory& modules);

}  // namespace xnorbench
