// Matrix products: C (m x n) = A (m x k) * B (k x n) of signs. A pointwise convolution over m pixels with k
// input and n output channels is that product, so every implementation runs it as one: OpenBLAS as a plain
// SGEMM without im2col.
#pragma once

#include <string>
#include <string_view>

#include "core/problem.h"

namespace xnorbench {

/// "m1024_n512_k256"
std::string to_gemm_text(const ConvProblem& problem);

/// m, n and k in any order; all three are needed. Throws InputError.
ConvProblem parse_gemm(std::string_view text);

}  // namespace xnorbench
