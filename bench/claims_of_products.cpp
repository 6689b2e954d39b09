// gemm_cublas_3_5x, gemm_binarynet and mlp_binarynet_7x: on a GPU where there is one, and the same questions on the CPU.
#include <fmt/format.h>

#include <algorithm>

#include "bench/claim_ratio.h"
#include "bench/claims_of_speed.h"

namespace xnorbench {
namespace {

// The hourglass' layers as products, and a cube.
constexpr const char* products[] = {"m1024_n1024_k1024", "m4096_n128_k2304", "m4096_n64_k1152", "m4096_n256_k128"};
/// Some of the 8192 rows, since work grows with them and the oracle takes minutes for all: on the CPU, where plain loops
/// are slow too, and as many as fill a GPU.
constexpr const char* slice_on_cpu = "m64_n8192_k8192";
constexpr const char* slice_on_gpu = "m1024_n8192_k8192";
constexpr std::int64_t mnist_batches[] = {1, 64};

constexpr const char* cuda_implementations = "cuda_f32_direct,cuda_f32_cublas,cuda_xnor_popc";

bool has_device() {
  return std::any_of(all_implementations().begin(), all_implementations().end(), [](const Implementation* i) {
    return i->info().device == "cuda" && i->available(this_machine());
  });
}

void claim_gemm_over_cublas(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows, published("gemm_cublas_3_5x", "arXiv 1703.00862", 3.5, "x",
                                     "up to; over cuBLAS; GPU not named; matrix products only"));
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("on this GPU, {}, signs in, sums out", product), "cuda_xnor_popc",
              {"cuda_f32_cublas", "cuBLAS, float, TF32 off"}, "Packed operands; packing is not timed");
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("the same on one CPU thread, {}", product), xnor_on_cpu, cpu_baselines[1],
              "Not what was claimed, but the question it stands for: packed signs against the float library of the machine");
}

void claim_gemm_of_binarynet(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  const char* const note = "Measured on some of the 8192 rows, since work grows with them; the whole by xnorbench gemm "
                           "--shapes=m8192_n8192_k8192. The authors' float kernel goes through shared memory in tiles of 16x16; "
                           "the plain one here does not";
  const struct {
    double reported;
    Baseline cuda, cpu;
  } figures[] = {{23, {"cuda_f32_direct", "plain float kernel"}, cpu_baselines[0]},
                 {3.4, {"cuda_f32_cublas", "cuBLAS, float, TF32 off"}, cpu_baselines[1]}};
  for (const auto& figure : figures) {
    ClaimBuilder claim(rows, published("gemm_binarynet", "BinaryNet run-time README", figure.reported, "x",
                                       figure.reported > 10 ? "8192x8192x8192, GTX 750, over the authors' naive float kernel"
                                                            : "8192x8192x8192, GTX 750, over cuBLAS"));
    add_ratio(claim, times, slice_on_gpu, "on this GPU, 1024 rows by 8192x8192 weights", "cuda_xnor_popc", figure.cuda, note);
    add_ratio(claim, times, slice_on_cpu, "on one CPU thread, 64 rows by 8192x8192 weights", xnor_on_cpu, figure.cpu, note);
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
      add_ratio(claim, times, what, "on one CPU thread, " + definition, xnor_on_cpu, baseline,
                batch == 1 ? "At batch 1 reading the weights decides: bits are a 32nd of them" : "Weights are read once for all images");
  }
}

}  // namespace

void add_product_cases(ClaimCases& cases) {
  for (const char* product : products) cases.add_product(product, "cpu_f32_openblas,cpu_xnor_simd");
  cases.add_product(slice_on_cpu, "cpu_f32_direct,cpu_f32_openblas,cpu_xnor_simd");
  for (std::int64_t batch : mnist_batches) cases.add_network("binarynet_mnist", batch, cpu_implementations);
  if (!has_device()) return;
  for (const char* product : products) cases.add_product(product, cuda_implementations);
  cases.add_product(slice_on_gpu, cuda_implementations);
  for (std::int64_t batch : mnist_batches) cases.add_network("binarynet_mnist", batch, cuda_implementations);
}

std::vector<ClaimRow> claims_of_products(const ClaimTimes& times) {
  std::vector<ClaimRow> rows;
  claim_gemm_over_cublas(rows, times);
  claim_gemm_of_binarynet(rows, times);
  claim_mlp_of_binarynet(rows, times);
  return rows;
}

}  // namespace xnorbench
