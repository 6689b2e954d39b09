// cpu_f32_onednn: oneDNN's direct float convolution on channels-last tensors.
#include "core/float_limits.h"
#include "core/implementation.h"
#include "core/missing_implementation.h"
#include "core/pad_mapping.h"
#include "core/weights.h"
#include "cpu/bounds.h"
#include "reference/onednn_plan.h"

namespace xnorbench {
namespace {

ImplementationInfo onednn_info() {
  return {"cpu_f32_onednn", "cpu", "f32", "oneDNN direct convolution in float, channels-last"};
}

#if XNORBENCH_HAVE_ONEDNN

/// The bias adds back what core/pad_mapping.h subtracts; a pad value of 0 needs none.
OnednnArithmetic arithmetic(const ConvProblem& problem) {
  return {OnednnArithmetic::Types::f32, problem.pad_value != PadValue::zero, 0};
}

class Onednn final : public Implementation {
 public:
  const ImplementationInfo& info() const override {
    static const ImplementationInfo info = onednn_info();
    return info;
  }
  Support available(const Machine&) const override { return {}; }

  Support supports(const ConvProblem& problem, const Machine&) const override {
    if (Support exact = exact_in_float(largest_packed_value(problem) * problem.shape.k()); !exact)
      return exact;
    return onednn_support(arithmetic(problem), problem.shape);
  }

  PackedFormat source_format(const ConvProblem& problem) const override {
    return zero_padded_format(problem);
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    const std::vector<float> signs = sign_values(weights.values, problem.zero_rule);
    const std::vector<float> bias = pad_correction(problem, signs);
    return std::make_unique<OnednnPlan<float>>(
        problem, weights, context,
        OnednnConvolution(arithmetic(problem), problem.shape, signs.data(), bias.data(),
                          context.cpu.threads, Category::weights_packed, context.ledger));
  }
  std::optional<double> bound(const CorePeakRates& core) const override { return f32_bound(core); }
};

#endif

}  // namespace

const Implementation& cpu_f32_onednn() {
#if XNORBENCH_HAVE_ONEDNN
  static const Onednn implementation;
#else
  static const MissingImplementation implementation(
      onednn_info(), "built without oneDNN (Debian package libdnnl-dev)");
#endif
  return implementation;
}

}  // namespace xnorbench
