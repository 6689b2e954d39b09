// Published figures of speed. Each is set against every baseline there is, since most depend on
// nothing else so much.
#pragma once

#include <vector>

#include "bench/claims/claim.h"
#include "bench/claims/claim_cases.h"
#include "bench/claims/without_fma.h"

namespace xnorbench {

// For each group of claims what it is measured on, and its rows.

/// gemm_cublas_3_5x, gemm_binarynet and mlp_binarynet_7x: matrix products and what is made of them.
void add_product_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_products(const ClaimTimes& times);

/// conv_cpu_58x: single layers.
void add_layer_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_layers(const ClaimTimes& times);

/// forward_0_67s and realtime: the hourglass.
void add_hourglass_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma);

}  // namespace xnorbench
