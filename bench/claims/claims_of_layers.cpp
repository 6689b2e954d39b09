// conv_cpu_58x: single layers, over every baseline, and what the machine allows.
#include <fmt/format.h>

#include "bench/claims/claim_ratio.h"
#include "bench/claims/claims_of_speed.h"
#include "bench/measure/peaks.h"

namespace xnorbench {
namespace {

// XNOR-Net measures 256 channels on tensors of 14x14; the other is the first layer of the
// hourglass' blocks, at 64x64.
constexpr const char* layers[] = {"ic256_ih14_oc256_kh3_ph1", "ic256_ih64_oc128_kh3_ph1_pad-1"};
/// Suffixes of a problem's text, and what they mean.
constexpr struct {
  const char *suffix, *meaning, *note;
} regions[] = {
    {"", "signs in, sums out", "One thread; sums are exact"},
    {"_srcf32_dstf32", "floats in and out", "One thread; sign, packing and scale are timed too"}};

}  // namespace

void add_layer_cases(ClaimCases& cases) {
  for (const char* layer : layers)
    for (const auto& region : regions)
      cases.add_layer(std::string(layer) + region.suffix, cpu_implementations);
}

std::vector<ClaimRow> claims_of_layers(const ClaimTimes& times) {
  std::vector<ClaimRow> rows;
  ClaimBuilder claim(
      rows, published("conv_cpu_58x", "XNOR-Net, arXiv 1603.05279 (recalled)", 58, "x",
                      "on a CPU; in terms of high-precision operations in the later text"));
  for (const char* layer : layers)
    for (const auto& [suffix, meaning, note] : regions)
      for (const Baseline& baseline : cpu_baselines)
        add_ratio(claim, times, std::string(layer) + suffix,
                  fmt::format("layer {}, {}", layer, meaning), xnor_on_cpu, baseline, note);
  const auto bound = [](const char* name) {
    return bound_of(*find_implementations(name).front(), CpuShare{});
  };
  claim.repeated_by("xnorbench peak");
  for (const char* name : {"cpu_f32_onednn", "cpu_i8_onednn"}) {
    const std::optional<double> fast = bound(xnor_on_cpu), slow = bound(name);
    if (fast && slow)
      claim.theory("what this machine's instructions allow at most",
                   fmt::format("the bound of {}", name), *fast / *slow,
                   "The ratio of the two bounds: no pair of kernels that both reach theirs can "
                   "differ by more");
  }
  return rows;
}

}  // namespace xnorbench
