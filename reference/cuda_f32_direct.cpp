// cuda_f32_direct: one thread an output, the baseline that a kernel without optimisation gives (direct_convolution.cu).
#include "core/weights.h"
#include "kernels/convert.h"
#include "kernels/cuda_device.h"
#include "kernels/device_epilogue.h"
#include "kernels/launch.h"
#include "kernels/module.h"
#include "reference/float_limits.h"

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
        packed[static_cast<std::size_t>((tap * s.group_in_channels() + c) * s.out_channels + o)] = signs[index];
  return packed;
}

class DirectPlan final : public Plan {
 public:
  DirectPlan(const ConvProblem& problem, const Weights& weights, Context& context)
      : device_(cuda_device(context.ledger.device())),
        output_count_(problem.shape.output_count()),
        epilogue_(problem, weights.epilogue, context.ledger),
        weights_(context.ledger.store<float>(Category::weights_packed, pack_weights(problem, weights.values),
                                             "weights as floats")) {
    const ConvShape& s = problem.shape;
    arguments_.window = window_of(s);
    arguments_.in_channels = to_int(s.in_channels);
    arguments_.out_channels = to_int(s.out_channels);
    arguments_.group_in_channels = to_int(s.group_in_channels());
    arguments_.group_out_channels = to_int(s.group_out_channels());
    arguments_.pad = to_float(problem.pad_value);
    arguments_.weights = weights_.as<float>();
  }

  KernelName kernel() const override { return {device_.isa(), ""}; }
  SumType sum_type() const override { return SumType::f32; }
  MemoryUse workspace() const override {
    if (epilogue_.keeps_sums()) return {};
    return {Category::workspace_columns, static_cast<std::size_t>(output_count_) * sizeof(float)};
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    DirectArguments arguments = arguments_;
    arguments.source = static_cast<const float*>(source);
    arguments.sums = static_cast<float*>(epilogue_.keeps_sums() ? output.sums : workspace);
    launch_direct_convolution(arguments, device_.stream());
    if (!epilogue_.keeps_sums())
      launch_epilogue(arguments.sums, nullptr, arguments.window.out_pixels, epilogue_.arguments(output), device_.stream());
  }

 private:
  CudaDevice& device_;
  std::int64_t output_count_;
  DeviceEpilogue epilogue_;
  Buffer weights_;
  DirectArguments arguments_{};
};

class Direct final : public CudaImplementation {
 public:
  Support supports(const ConvProblem& problem, Device&) const override {
    if (Support countable = counts_fit(problem.shape); !countable) return countable;
    return exact_in_float(problem.shape.k());
  }
  OperandFormat source_format(const ConvProblem& problem) const override {
    return {OperandForm::f32, problem.shape.in_channels};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights, Context& context) const override {
    return std::make_unique<DirectPlan>(problem, weights, context);
  }
};

}  // namespace

const CudaImplementation& cuda_f32_direct() {
  static const Direct implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
