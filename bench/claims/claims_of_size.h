// Published sizes of models and counts of operations. They are computed from the networks' graphs
// and from the format of Torch7's files, so they are the same on every machine.
#pragma once

#include <string>
#include <vector>

#include "bench/claims/claim.h"

namespace xnorbench {

/// The command that repeats a claim of size or of operations.
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
