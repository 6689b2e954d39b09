// Published figures of speed. Each is set against every baseline there is, since most depend on nothing else so much.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/claim.h"
#include "bench/claim_cases.h"
#include "bench/without_fma.h"

namespace xnorbench {

/// Everything that the claims below are measured on.
void add_speed_cases(ClaimCases& cases);

/// gemm_cublas_3_5x, gemm_binarynet and mlp_binarynet_7x: matrix products and what is made of them.
std::vector<ClaimRow> claims_of_products(const ClaimTimes& times);

/// conv_cpu_58x: single layers.
std::vector<ClaimRow> claims_of_layers(const ClaimTimes& times);

/// forward_0_67s and realtime: the hourglass.
std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma);

}  // namespace xnorbench
