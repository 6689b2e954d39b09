// Rows of claims that are ratios of times: one implementation over one baseline.
#pragma once

#include <string>

#include "bench/claims/claim_builder.h"
#include "bench/claims/claim_cases.h"

namespace xnorbench {

/// The slower side of a published ratio.
struct Baseline {
  const char* implementation;
  const char* what;
};
inline constexpr Baseline plain_loops{"cpu_f32_direct", "plain float loops"};
inline constexpr Baseline openblas{"cpu_f32_openblas", "float im2col and OpenBLAS"};
inline constexpr Baseline cpu_baselines[] = {plain_loops,
                                             openblas,
                                             {"cpu_f32_onednn", "float oneDNN"},
                                             {"cpu_i8_onednn", "8-bit integers, oneDNN"}};

/// The fast side of claims about a CPU.
inline constexpr const char* xnor_on_cpu = "cpu_xnor_simd";
/// The baselines and xnor_on_cpu.
inline constexpr const char* cpu_implementations =
    "cpu_f32_direct,cpu_f32_openblas,cpu_f32_onednn,cpu_i8_onednn,cpu_xnor_simd";

/// What the rows of one figure share.
ClaimRow published(const char* id, const char* source, double value, const char* unit,
                   const char* conditions);

/// The command that times `what` (as in ClaimTimes) on two implementations.
std::string timing_command(const std::string& what, const std::string& slow,
                           const std::string& fast);

/// Adds a row for `fast` over `slow`, or a row that says why there is no ratio.
void add_ratio(ClaimBuilder& claim, const ClaimTimes& times, const std::string& what,
               const std::string& definition, const std::string& fast, const Baseline& slow,
               const std::string& note);

}  // namespace xnorbench
