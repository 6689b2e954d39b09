// Matrix products of signs: C (m x n) = A (m x k) * B (k x n). A pointwise convolution over m
// pixels with k input and n output channels is the same product, so every implementation runs it as
// one. OpenBLAS then needs no im2col: it is a plain SGEMM.
#pragma once

#include <string>
#include <string_view>

#include "bench/cases/shapes.h"
#include "core/problem.h"

namespace xnorbench {

/// "m1024_n512_k256"
std::string to_gemm_text(const ConvProblem& problem);

/// Takes m, n and k in any order and needs all three. Throws InputError.
ConvProblem parse_gemm(std::string_view text);

inline constexpr ShapeFormat gemm_shapes = {parse_gemm, "m1024_n512_k256"};

}  // namespace xnorbench
