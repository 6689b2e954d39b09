// cuda_f32_cudnn: the convolution that float frameworks run on NVIDIA GPUs.
#include "core/cuda_module.h"
#include "core/float_limits.h"
#include "core/pad_mapping.h"
#include "kernels/convert.h"
#include "reference/cuda_cudnn_convolution.h"
#include "reference/cuda_float_plan.h"

namespace xnorbench::cuda {
namespace {

class Cudnn final : public CudaImplementation {
 public:
  Support supports(const ConvProblem& problem, Device& device) const override {
    if (Support countable = counts_fit(problem.shape); !countable) return countable;
    if (Support exact = exact_in_float(largest_packed_value(problem) * problem.shape.k()); !exact)
      return exact;
    return cudnn_support(cuda_device(device), problem.shape);
  }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return zero_padded_format(problem);
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    std::vector<float> offset;
    if (problem.pad_value != PadValue::zero)
      offset = pad_correction(problem, sign_values(weights.values, problem.zero_rule));
    return std::make_unique<FloatPlan<CudnnConvolution>>(
        problem, weights.epilogue, context,
        CudnnConvolution(cuda_device(context.ledger.device()), problem.shape,
                         context.workspace_limit_bytes),
        ohwi_signs(problem, weights.values), offset);
  }
};

}  // namespace

const CudaImplementation& cuda_f32_cudnn() {
  static const Cudnn implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
