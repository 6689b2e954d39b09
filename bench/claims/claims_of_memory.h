// memory_700MB: the question that the project began with.
#pragma once

#include <vector>

#include "bench/claims/claim.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// face_alignment at batch 1 on bnn.torch's algorithm, with every module's own buffers: planned,
/// and measured in one pass. Throws InputError where it cannot run, std::logic_error when its
/// output is wrong.
NetworkMemory measure_torch7_memory(std::uint64_t seed);

std::vector<ClaimRow> claims_of_memory(const NetworkMemory& modules);

}  // namespace xnorbench
