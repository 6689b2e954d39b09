#include "bench/claims_of_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/claim_builder.h"
#include "bench/peaks.h"

namespace xnorbench {
namespace {

constexpr const char* xnor = "cpu_xnor_simd";

struct Baseline {
  const char* implementation;
  const char* what;
};
constexpr Baseline cpu_baselines[] = {{"cpu_f32_direct", "plain float loops"},
                                      {"cpu_f32_openblas", "float im2col and OpenBLAS"},
                                      {"cpu_f32_onednn", "float oneDNN"},
                                      {"cpu_i8_onednn", "8-bit integers, oneDNN"}};

// XNOR-Net measures 256 channels on maps of 14x14; the hourglass' first 3x3 at 64x64 has twice the weights of its layers.
constexpr const char* layers[] = {"ic256_ih14_oc256_kh3_ph1", "ic256_ih64_oc128_kh3_ph1_pad-1"};
/// Suffixes of a problem's text, and what they mean.
constexpr std::pair<const char*, const char*> regions[] = {
    {"", "signs in, sums out"}, {"_srcf32_dstf32", "floats in and out: sign, packing and scale timed too"}};

// The hourglass' layers as products, and a cube.
constexpr const char* products[] = {"m1024_n1024_k1024", "m4096_n128_k2304", "m4096_n64_k1152", "m4096_n256_k128"};
/// 64 of the 8192 rows: plain loops take minutes for all, and work grows with the rows.
constexpr const char* slice_of_8192 = "m64_n8192_k8192";
constexpr const char* cube_of_8192 = "m8192_n8192_k8192";
constexpr std::int64_t mnist_batches[] = {1, 64};

constexpr const char* cpu_list = "cpu_f32_direct,cpu_f32_openblas,cpu_f32_onednn,cpu_i8_onednn,cpu_xnor_simd";
constexpr const char* cuda_list = "cuda_f32_direct,cuda_f32_cublas,cuda_xnor_popc";

bool has_device() {
  return std::any_of(all_implementations().begin(), all_implementations().end(), [](const Implementation* i) {
    return i->info().device == "cuda" && i->available(this_machine());
  });
}

std::string command_of(const std::string& what, const std::string& slow, const std::string& fast) {
  if (const std::size_t batch = what.find("/n"); batch != std::string::npos)
    return fmt::format("xnorbench network --networks={} --batch={} --input=random --implementations={},{}",
                       what.substr(0, batch), what.substr(batch + 2), slow, fast);
  return fmt::format("xnorbench {} --shapes={} --implementations={},{}", what.starts_with("m") ? "gemm" : "conv", what, slow,
                     fast);
}

/// A row for `fast` over `slow`, or why there is none.
void add_ratio(ClaimBuilder& claim, const ClaimTimes& times, const std::string& what, const std::string& definition,
               const std::string& fast, const Baseline& slow, const std::string& note) {
  claim.repeated_by(command_of(what, slow.implementation, fast));
  const std::string baseline = fmt::format("{} ({})", slow.what, slow.implementation);
  if (const std::optional<double> ratio = times.ratio(what, slow.implementation, fast))
    return claim.ratio(definition, baseline, *ratio, note);
  const std::string missing = times.ns(what, fast) ? slow.implementation : fast;
  claim.unmeasured(definition, baseline, times.reason(what, missing));
}

ClaimRow published(const char* id, const char* source, double value, const char* unit, const char* conditions) {
  return {.id = id, .source = source, .reported_value = value, .unit = unit, .conditions = conditions};
}

}  // namespace

void add_speed_cases(ClaimCases& cases) {
  for (const char* layer : layers)
    for (const auto& [suffix, meaning] : regions) cases.add_layer(std::string(layer) + suffix, cpu_list);
  for (const char* product : products) cases.add_product(product, "cpu_f32_openblas,cpu_xnor_simd");
  cases.add_product(slice_of_8192, "cpu_f32_direct,cpu_f32_openblas,cpu_xnor_simd");
  for (std::int64_t batch : mnist_batches) cases.add_network("binarynet_mnist", batch, cpu_list);
  cases.add_network("face_alignment", 1, "cpu_f32_openblas,cpu_f32_onednn,cpu_i8_onednn,cpu_xnor_simd");
  cases.add_network("face_alignment_real", 1, "cpu_f32_openblas,cpu_f32_onednn");
  if (!has_device()) return;
  for (const char* product : products) cases.add_product(product, cuda_list);
  cases.add_product(slice_of_8192, cuda_list);
  for (std::int64_t batch : mnist_batches) cases.add_network("binarynet_mnist", batch, cuda_list);
}

namespace {

void claim_gemm_over_cublas(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows, published("gemm_cublas_3_5x", "arXiv 1703.00862", 3.5, "x",
                                     "up to; over cuBLAS; GPU not named; matrix products only"));
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("on this GPU, {}, signs in, sums out", product), "cuda_xnor_popc",
              {"cuda_f32_cublas", "cuBLAS, float, TF32 off"}, "Packed operands; packing is not timed");
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("the same on one CPU thread, {}", product), xnor, cpu_baselines[1],
              "Not what was claimed, but the question it stands for: packed signs against the float library of the machine");
}

void claim_gemm_of_binarynet(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  const char* const rows_note = "64 of the 8192 rows are measured, since work grows with them; the whole by "
                                "xnorbench gemm --shapes=";
  const auto note = fmt::format("{}{}", rows_note, cube_of_8192);
  const struct {
    double reported;
    Baseline cuda, cpu;
  } figures[] = {{23, {"cuda_f32_direct", "plain float kernel"}, cpu_baselines[0]},
                 {3.4, {"cuda_f32_cublas", "cuBLAS, float, TF32 off"}, cpu_baselines[1]}};
  for (const auto& figure : figures) {
    ClaimBuilder claim(rows, published("gemm_binarynet", "BinaryNet run-time README", figure.reported, "x",
                                       figure.reported > 10 ? "8192x8192x8192, GTX 750, over the authors' naive float kernel"
                                                            : "8192x8192x8192, GTX 750, over cuBLAS"));
    add_ratio(claim, times, slice_of_8192, "on this GPU, 8192x8192 weights", "cuda_xnor_popc", figure.cuda, note);
    add_ratio(claim, times, slice_of_8192, "the same on one CPU thread", xnor, figure.cpu, note);
  }
}

void claim_mlp_of_binarynet(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows, published("mlp_binarynet_7x", "arXiv 1602.02830", 7, "x",
                                     "MNIST MLP 784-3x4096-10 on a GPU, over an unoptimised kernel"));
  for (std::int64_t batch : mnist_batches) {
    const std::string what = network_at_batch("binarynet_mnist", batch);
    const std::string definition = fmt::format("whole forward pass, batch {}", batch);
    add_ratio(claim, times, what, "on this GPU, " + definition, "cuda_xnor_popc", {"cuda_f32_direct", "plain float kernel"},
              "Both kernels around the same passes");
    for (const Baseline& baseline : cpu_baselines)
      add_ratio(claim, times, what, "on one CPU thread, " + definition, xnor, baseline,
                batch == 1 ? "At batch 1 reading the weights decides: bits are a 32nd of them" : "Weights are read once for all images");
  }
}

}  // namespace

std::vector<ClaimRow> claims_of_products(const ClaimTimes& times) {
  std::vector<ClaimRow> rows;
  claim_gemm_over_cublas(rows, times);
  claim_gemm_of_binarynet(rows, times);
  claim_mlp_of_binarynet(rows, times);
  return rows;
}

std::vector<ClaimRow> claims_of_layers(const ClaimTimes& times) {
  std::vector<ClaimRow> rows;
  ClaimBuilder claim(rows, published("conv_cpu_58x", "XNOR-Net, arXiv 1603.05279 (recalled)", 58, "x",
                                     "on a CPU; in terms of high-precision operations in the later text"));
  for (const char* layer : layers)
    for (const auto& [suffix, meaning] : regions)
      for (const Baseline& baseline : cpu_baselines)
        add_ratio(claim, times, std::string(layer) + suffix, fmt::format("layer {}, {}", layer, meaning), xnor, baseline,
                  "One thread, exact sums");
  const auto limit = [](const char* name) { return limit_of(*find_implementations(name).front(), CpuShare{}); };
  claim.repeated_by("xnorbench peak");
  for (const char* name : {"cpu_f32_onednn", "cpu_i8_onednn"}) {
    const std::optional<double> fast = limit(xnor), slow = limit(name);
    if (fast && slow)
      claim.ratio("what this machine's instructions allow at most", fmt::format("the limit of {}", name), *fast / *slow,
                  "The ratio of the measured limits: no pair of kernels that both reach theirs can differ by more");
  }
  return rows;
}

std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma) {
  constexpr double reported_seconds = 0.67, reported_ratio = 58;
  std::vector<ClaimRow> rows;
  const std::string real = network_at_batch("face_alignment_real", 1), binary = network_at_batch("face_alignment", 1);
  const Baseline libraries[] = {{"cpu_f32_openblas", "im2col and OpenBLAS, as Torch7"}, {"cpu_f32_onednn", "oneDNN"}};

  ClaimBuilder forward(rows, published("forward_0_67s", "arXiv 1703.00862", reported_seconds, "s",
                                       "the real-valued hourglass on one core of an i7-3820 (AVX, no FMA), Torch7"));
  for (const auto& [implementation, what] : libraries) {
    forward.repeated_by(fmt::format("xnorbench network --networks=face_alignment_real --input=random --real-layers=torch "
                                    "--implementations={}", implementation));
    if (const std::optional<double> ns = times.ns(real, implementation))
      forward.equal(fmt::format("{} on this machine's best instructions, one thread", what), "", *ns * 1e-9,
                    fmt::format("This core is {:.1f} times as fast as the published one", reported_seconds / (*ns * 1e-9)));
    else
      forward.unmeasured(what, "", times.reason(real, implementation));
    const auto found = without_fma.median_ns.find(implementation);
    if (found == without_fma.median_ns.end()) continue;
    forward.repeated_by(without_fma.command);
    forward.equal(fmt::format("{} without FMA (AVX), as the i7-3820, one thread", what), "", found->second * 1e-9,
                  fmt::format("This core is {:.1f} times as fast as the published one", reported_seconds / (found->second * 1e-9)));
  }

  const char* const prediction = "prediction, never tested: near 58x would make 0.67 s real-time";
  const std::string own_command = command_of(binary, "cpu_f32_onednn", xnor);
  if (const std::optional<double> ns = times.ns(binary, xnor)) {
    ClaimBuilder pass(rows, published("realtime", "arXiv 1703.00862", reported_seconds / reported_ratio * 1e3, "ms", prediction));
    pass.repeated_by(own_command);
    pass.at_most("one pass of the binary hourglass, one thread", "", *ns * 1e-6, "0.67 s / 58 = 11.6 ms");
    ClaimBuilder rate(rows, published("realtime", "arXiv 1703.00862", reported_ratio / reported_seconds, "frames/s", prediction));
    rate.repeated_by(own_command);
    rate.ratio("frames a second of the binary hourglass, one thread", "", 1e9 / *ns, "58 / 0.67 s = 87 frames a second");
  }
  ClaimBuilder ratio(rows, published("realtime", "arXiv 1703.00862", reported_ratio, "x", prediction));
  for (const auto& [implementation, what] : libraries) {
    ratio.repeated_by(fmt::format("xnorbench network --networks=face_alignment,face_alignment_real --input=random "
                                  "--implementations={},{}", implementation, xnor));
    const std::optional<double> slow = times.ns(real, implementation), fast = times.ns(binary, xnor);
    if (slow && fast)
      ratio.ratio("the binary hourglass over its real-valued twin, one thread", what, *slow / *fast,
                  "What fewer operations leave of 58 once the real layers and a tuned float library are there");
    else
      ratio.unmeasured("the binary hourglass over its real-valued twin", what, times.reason(slow ? binary : real, slow ? xnor : implementation));
  }
  return rows;
}

}  // namespace xnorbench
