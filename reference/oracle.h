// The definition of a binary convolution: plain loops over signs with 64-bit sums. Every
// implementation is compared with it exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"

namespace xnorbench {

/// `signs`: +1 or -1, N, H, W, C. `weights`: real, O, I/groups, KH, KW, binarised by the problem's
/// zero rule. Returns the sums in N, H, W, O order; elements outside the tensor count as the pad
/// value.
std::vector<std::int64_t> oracle_sums(const ConvProblem& problem,
                                      std::span<const std::int8_t> signs,
                                      std::span<const float> weights);

/// Signs of a float tensor by the zero rule, same order.
std::vector<std::int8_t> to_signs(std::span<const float> values, ZeroRule rule);

}  // namespace xnorbench
