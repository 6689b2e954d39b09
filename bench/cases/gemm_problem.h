// Matrix products: C (m x n) = A (m x k) * B (k x n) of signs. A pointwise convolution over m
// pixels with k input and n output channels is that product, so every implementation runs it as
// one: OpenBLAS as a plain SGEMM without im2col.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace xnorbench {

/// "m1024_n512_k256"
std::string to_gemm_text(const ConvProblem& problem);

/// A cube, and the hourglass' own: 3x3 256->128 and 128->64, 1x1 128->256, all at 64x64.
std::vector<std::string> usual_products();

/// m, n and k in any order; all three are needed. Throws InputError.
ConvProblem parse_gemm(std::string_view text);

}  // namespace xnorbench
