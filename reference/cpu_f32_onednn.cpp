// cpu_f32_onednn: oneDNN's direct float convolution on channels-last maps.
#include "core/implementation.h"
#include "core/missing_implementation.h"
#include "core/weights.h"
#include "reference/float_limits.h"
#include "reference/onednn_plan.h"

namespace xnorbench {
namespace {

ImplementationInfo onednn_info() {
  return {"cpu_f32_onednn", "cpu", "f32", "oneDNN direct convolution in float, channels-last"};
}

#if XNORBENCH_HAVE_ONEDNN

float pad_of(const ConvProblem& problem) { return static_cast<float>(static_cast<int>(problem.pad_value)); }

/// oneDNN pads with 0. The operand holds sign - pad, so that its 0 stands for the pad value, and the
/// bias pad * sum(w) adds back what was subtracted. None when the pad value is 0.
OnednnArithmetic arithmetic(const ConvProblem& problem) {
  return {OnednnArithmetic::Types::f32, problem.pad_value != PadValue::zero, 0};
}

std::vector<float> pad_correction(const ConvProblem& problem, std::span<const float> signs) {
  const auto k = static_cast<std::size_t>(problem.shape.k());
  std::vector<float> bias(static_cast<std::size_t>(problem.shape.out_channels));
  for (std::size_t o = 0; o < bias.size(); ++o) {
    float sum = 0.0F;
    for (float sign : signs.subspan(o * k, k)) sum += sign;
    bias[o] = pad_of(problem) * sum;
  }
  return bias;
}

class Onednn final : public Implementation {
 public:
  const ImplementationInfo& info() const override {
    static const ImplementationInfo info = onednn_info();
    return info;
  }
  Support available(const Machine&) const override { return {}; }

  Support supports(const ConvProblem& problem, const Machine&) const override {
    // Operands of magnitude 2 where the pad value is mapped to 0.
    const std::int64_t largest = problem.pad_value == PadValue::zero ? 1 : 2;
    if (Support exact = exact_in_float(largest * problem.shape.k()); !exact) return exact;
    return onednn_support(arithmetic(problem), problem.shape);
  }

  OperandFormat source_format(const ConvProblem& problem) const override {
    return {OperandForm::f32, problem.shape.in_channels, 1, pad_of(problem)};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights, Context& context) const override {
    const std::vector<float> signs = sign_values(weights.values, problem.zero_rule);
    const std::vector<float> bias = pad_correction(problem, signs);
    return std::make_unique<OnednnPlan<float>>(
        problem, weights, context,
        OnednnConvolution(arithmetic(problem), problem.shape, signs.data(), bias.data(), context.threads,
                          Category::weights_packed, context.ledger));
  }
};

#endif

}  // namespace

const Implementation& cpu_f32_onednn() {
#if XNORBENCH_HAVE_ONEDNN
  static const Onednn implementation;
#else
  static const MissingImplementation implementation(onednn_info(), "built without oneDNN (Debian package libdnnl-dev)");
#endif
  return implementation;
}

}  // namespace xnorbench
