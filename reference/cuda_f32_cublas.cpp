// cuda_f32_cublas: im2col and cuBLAS SGEMM, as float frameworks computed before cuDNN.
#include "reference/cuda_float_implementation.h"
#include "reference/cuda_float_plan.h"
#include "reference/cuda_im2col_gemm.h"

namespace xnorbench::cuda {
namespace {

class Cublas final : public CudaFloatImplementation {
 public:
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    Im2colGemm convolution(cuda_device(context.ledger.device()), problem.shape,
                           to_float(problem.pad_value));
    return std::make_unique<FloatPlan<Im2colGemm>>(problem, weights.epilogue, context, convolution,
                                                   ohwi_signs(problem, weights.values));
  }
};

}  // namespace

const CudaImplementation& cuda_f32_cublas() {
  static const Cublas implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
