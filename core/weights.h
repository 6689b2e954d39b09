// Weights in the orders that implementations read.
#pragma once

#include <span>
#include <vector>

#include "core/memory.h"
#include "core/problem.h"

namespace xnorbench {

/// Reorders O, I/groups, KH, KW to O, KH, KW, I/groups: channels innermost, as in the tensors.
void to_ohwi(const ConvShape& shape, std::span<const float> oihw, float* ohwi);

/// The signs of binary weights as floats, +1 or -1, in the same order.
std::vector<float> sign_values(std::span<const float> values, ZeroRule rule);

/// The signs of binary weights as floats, +1 or -1, in the order O, KH, KW, I/groups.
Buffer float_sign_weights(const ConvProblem& problem, std::span<const float> oihw, Ledger& ledger);

}  // namespace xnorbench
