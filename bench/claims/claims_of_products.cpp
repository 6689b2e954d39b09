// gemm_cublas_3_5x, gemm_binarynet and mlp_binarynet_7x: on a GPU where there is one, and the same
// questions on the CPU.
#include <fmt/format.h>

#include <algorithm>

#include "bench/cases/gemm_problem.h"
#include "bench/claims/claim_ratio.h"
#include "bench/claims/claims_of_speed.h"

namespace xnorbench {
namespace {

/// Parts of the 8192 rows, as the oracle takes minutes for all of them: few rows for plain loops,
/// more for libraries, which would spend their time on reading weights, and enough to fill a GPU.
constexpr const char* few_rows = "m64_n8192_k8192";
constexpr const char* more_rows = "m512_n8192_k8192";
constexpr const char* rows_of_gpu = "m1024_n8192_k8192";
/// A cube, and products of the hourglass: 3x3 256->128 and 128->64, 1x1 128->256, all at 64x64.
constexpr const char* products[] = {"m1024_n1024_k1024", "m4096_n128_k2304", "m4096_n64_k1152",
                                    "m4096_n256_k128"};
constexpr std::int64_t mnist_batches[] = {1, 64};

constexpr Baseline plain_kernel{"cuda_f32_direct", "plain float kernel"};
constexpr Baseline cublas{"cuda_f32_cublas", "cuBLAS, float, TF32 off"};
constexpr const char* of_plain_kernel =
    "The authors' float kernel goes through shared memory in tiles of 16x16; the plain one here "
    "does not, and a ratio over it is larger for that";
constexpr const char* cuda_implementations = "cuda_f32_direct,cuda_f32_cublas,cuda_xnor_popc";

/// "64 rows"
std::string rows_in(const char* product) {
  return fmt::format("{} rows", parse_gemm(product).shape.in_height);
}

bool has_device() {
  return std::any_of(all_implementations().begin(), all_implementations().end(),
                     [](const Implementation* i) {
                       return i->info().device == "cuda" && i->available(this_machine());
                     });
}

void claim_gemm_over_cublas(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows, published("gemm_cublas_3_5x", "arXiv 1703.00862", 3.5, "x",
                                     "up to; over cuBLAS; GPU not named; matrix products only"));
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("on a GPU, {}, signs in, sums out", product),
              "cuda_xnor_popc", cublas, "Packed inputs; packing is not timed");
  for (const char* product : products)
    add_ratio(claim, times, product, fmt::format("the same on one CPU thread, {}", product),
              xnor_on_cpu, openblas,
              "Not what was claimed, but the question it stands for: packed signs against the "
              "float library of the machine");
}

void claim_gemm_of_binarynet(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  const char* const note =
      "Measured on some of the 8192 rows, since work grows with them; the whole by xnorbench gemm "
      "--shapes=m8192_n8192_k8192";
  const struct {
    double reported;
    const char* conditions;
    Baseline cuda, cpu;
    const char* slice;
  } figures[] = {{23, "8192x8192x8192, GTX 750, over the authors' naive float kernel", plain_kernel,
                  plain_loops, few_rows},
                 {3.4, "8192x8192x8192, GTX 750, over cuBLAS", cublas, openblas, more_rows}};
  for (const auto& figure : figures) {
    ClaimBuilder claim(rows, published("gemm_binarynet", "BinaryNet run-time README",
                                       figure.reported, "x", figure.conditions));
    add_ratio(claim, times, rows_of_gpu, "on a GPU, 1024 rows by 8192x8192 weights",
              "cuda_xnor_popc", figure.cuda,
              figure.cuda.implementation == plain_kernel.implementation
                  ? fmt::format("{}. {}", note, of_plain_kernel)
                  : note);
    add_ratio(claim, times, figure.slice,
              fmt::format("on one CPU thread, {} by 8192x8192 weights", rows_in(figure.slice)),
              xnor_on_cpu, figure.cpu, note);
  }
}

void claim_mlp_of_binarynet(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows,
                     published("mlp_binarynet_7x", "arXiv 1602.02830", 7, "x",
                               "MNIST MLP 784-3x4096-10 on a GPU, over an unoptimised kernel"));
  for (std::int64_t batch : mnist_batches) {
    const std::string what = network_at_batch("binarynet_mnist", batch);
    const std::string definition = fmt::format("whole forward pass, batch {}", batch);
    add_ratio(claim, times, what, "on a GPU, " + definition, "cuda_xnor_popc", plain_kernel,
              fmt::format("Both kernels around the same passes. {}", of_plain_kernel));
    for (const Baseline& baseline : cpu_baselines)
      add_ratio(claim, times, what, "on one CPU thread, " + definition, xnor_on_cpu, baseline,
                batch == 1 ? "At batch 1 reading the weights decides: bits are a 32nd of them"
                           : "Weights are read once for all images");
  }
}

}  // namespace

void add_product_cases(ClaimCases& cases) {
  for (const char* product : products) cases.add_product(product, "cpu_f32_openblas,cpu_xnor_simd");
  cases.add_product(few_rows, "cpu_f32_direct,cpu_xnor_simd");
  cases.add_product(more_rows, "cpu_f32_openblas,cpu_xnor_simd");
  for (std::int64_t batch : mnist_batches)
    cases.add_network("binarynet_mnist", batch, cpu_implementations);
  if (!has_device()) return;
  for (const char* product : products) cases.add_product(product, cuda_implementations);
  cases.add_product(rows_of_gpu, cuda_implementations);
  for (std::int64_t batch : mnist_batches)
    cases.add_network("binarynet_mnist", batch, cuda_implementations);
}

std::vector<ClaimRow> claims_of_products(const ClaimTimes& times) {
  std::vector<ClaimRow> rows;
  claim_gemm_over_cublas(rows, times);
  claim_gemm_of_binarynet(rows, times);
  claim_mlp_of_binarynet(rows, times);
  return rows;
}

}  // namespace xnorbench
