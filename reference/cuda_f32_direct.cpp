// cuda_f32_direct: one thread an output, the baseline that a kernel without optimisation gives
// (direct_convolution.cu).
#include "reference/cuda_float_implementation.h"
#include "reference/cuda_float_plan.h"

namespace xnorbench::cuda {
namespace {

/// O, I/groups, KH, KW to KH, KW, I/groups, O: +1 or -1.
std::vector<float> pack_weights(const ConvProblem& problem, std::span<const float> oihw) {
  const ConvShape& s = problem.shape;
  const std::vector<float> signs = sign_values(oihw, problem.zero_rule);
  std::vector<float> packed(signs.size());
  std::size_t index = 0;
  for (std::int64_t o = 0; o < s.out_channels; ++o)
    for (std::int64_t c = 0; c < s.group_in_channels(); ++c)
      for (std::int64_t tap = 0; tap < s.taps(); ++tap, ++index)
        packed[static_cast<std::size_t>((tap * s.group_in_channels() + c) * s.out_channels + o)] =
            signs[index];
  return packed;
}

class DirectConvolution {
 public:
  DirectConvolution(CudaDevice& device, const ConvProblem& problem) : device_(&device) {
    const ConvShape& s = problem.shape;
    arguments_.window = window_of(s);
    arguments_.in_channels = to_int(s.in_channels);
    arguments_.out_channels = to_int(s.out_channels);
    arguments_.group_in_channels = to_int(s.group_in_channels());
    arguments_.group_out_channels = to_int(s.group_out_channels());
    arguments_.pad = to_float(problem.pad_value);
  }

  KernelName kernel() const { return {device_->isa(), ""}; }
  MemoryUse workspace() const { return {}; }
  void run(const float* source, const float* weights, float* sums, std::byte*) const {
    DirectArguments arguments = arguments_;
    arguments.source = source;
    arguments.weights = weights;
    arguments.sums = sums;
    launch_direct_convolution(arguments, device_->stream());
  }

 private:
  CudaDevice* device_;
  DirectArguments arguments_{};
};

class Direct final : public CudaFloatImplementation {
 public:
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<FloatPlan<DirectConvolution>>(
        problem, weights.epilogue, context,
        DirectConvolution(cuda_device(context.ledger.device()), problem),
        pack_weights(problem, weights.values));
  }
};

}  // namespace

const CudaImplementation& cuda_f32_direct() {
  static const Direct implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
