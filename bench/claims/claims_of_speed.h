// Published figures of speed. Each is measured over every baseline, since most of them depend on
// the baseline more than on anything else.
#pragma once

#include <vector>

#include "bench/claims/claim.h"
#include "bench/claims/claim_cases.h"
#include "bench/claims/without_fma.h"

namespace xnorbench {

// For each group of claims: the cases that it needs, and its rows.

/// gemm_cublas_3_5x, gemm_binarynet and mlp_binarynet_7x: matrix products, and a network of them.
void add_product_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_products(const ClaimTimes& times);

/// conv_cpu_58x: single layers.
void add_layer_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_layers(const ClaimTimes& times);

/// forward_0_67s and realtime: the hourglass.
void add_hourglass_cases(ClaimCases& cases);
std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma);

}  // namespace xnorbench
