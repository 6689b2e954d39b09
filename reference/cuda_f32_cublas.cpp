// cuda_f32_cublas: im2col and cuBLAS SGEMM, the way of float frameworks before cuDNN.
#include "kernels/convert.h"
#include "kernels/module.h"
#include "reference/cuda_float_plan.h"
#include "reference/cuda_im2col_gemm.h"
#include "reference/float_limits.h"

namespace xnorbench::cuda {
namespace {

class Cublas final : public CudaImplementation {
 public:
  Support supports(const ConvProblem& problem, Device&) const override {
    if (Support countable = counts_fit(problem.shape); !countable) return countable;
    return exact_in_float(problem.shape.k());
  }
  OperandFormat source_format(const ConvProblem& problem) const override {
    return {OperandForm::f32, problem.shape.in_channels};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights, Context& context) const override {
    Im2colGemm convolution(cuda_device(context.ledger.device()), problem.shape, to_float(problem.pad_value));
    return std::make_unique<FloatPlan<Im2colGemm>>(problem, weights, context, convolution, std::vector<float>{});
  }
};

}  // namespace

const CudaImplementation& cuda_f32_cublas() {
  static const Cublas implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
