// Published figures that need no clock: sizes of models and counts of operations, computed from the
// networks' graphs and from the format of Torch7's files. They are the same on every machine.
#pragma once

#include <string>
#include <vector>

#include "bench/claims/claim.h"

namespace xnorbench {

/// What a claim of size or of operations is repeated by.
inline std::string claims_command(const std::string& id) {
  return "xnorbench reproduce --claims=" + id;
}

/// ops_32x and the formula behind conv_cpu_58x.
std::vector<ClaimRow> claims_of_operations();

/// compression_39x and model_size: the hourglass.
std::vector<ClaimRow> claims_of_compression();

/// memory_32x_xnornet and espresso_memory.
std::vector<ClaimRow> claims_of_weights();

/// All of them.
std::vector<ClaimRow> claims_of_size();

}  // namespace xnorbench
