// cpu_i8_onednn: oneDNN's 8-bit convolution, unsigned source by signed weights.
//
// Never signed by signed: without VNNI oneDNN halves such weights, and the sums are wrong. Signs
// become bytes in which the padding value is 0, since oneDNN pads with 0:
//   pad -1: u = (a + 1) / 2, sum = 2 * (u . w) - sum(w)
//   pad +1: u = (1 - a) / 2, sum = sum(w) - 2 * (u . w)
//   pad  0: u = a + 1 with a source zero point of 1
// The factor goes into the weights (+2 and -2) and the constant into the int32 bias, so that oneDNN
// writes the sums themselves.
#include "core/float_limits.h"
#include "core/implementation.h"
#include "core/missing_implementation.h"
#include "core/weights.h"
#include "cpu/bounds.h"
#if XNORBENCH_HAVE_ONEDNN
#include "reference/onednn_plan.h"
#endif

namespace xnorbench {
namespace {

ImplementationInfo onednn_info() {
  return {"cpu_i8_onednn", "cpu", "i8",
          "oneDNN direct convolution in 8-bit integers (u8 by s8), channels-last"};
}

#if XNORBENCH_HAVE_ONEDNN

/// The pad value that is mapped: without padding it does not matter, and -1 is the cheapest.
PadValue mapped_pad(const ConvProblem& problem) {
  const bool padded = problem.shape.pad_height > 0 || problem.shape.pad_width > 0;
  return padded ? problem.pad_value : PadValue::minus_one;
}

OnednnArithmetic arithmetic(const ConvProblem& problem) {
  const bool zero = mapped_pad(problem) == PadValue::zero;
  return {OnednnArithmetic::Types::u8_s8, !zero, zero ? 1 : 0};
}

/// The weights that u is multiplied with: +1 and -1, or +2 and -2 with the sign that the formulas
/// above ask for.
int weight_factor(const ConvProblem& problem) {
  switch (mapped_pad(problem)) {
    case PadValue::minus_one: return 2;
    case PadValue::zero: return 1;
    case PadValue::plus_one: return -2;
  }
  return 0;
}

class OnednnBytes final : public Implementation {
 public:
  const ImplementationInfo& info() const override {
    static const ImplementationInfo info = onednn_info();
    return info;
  }
  Support available(const Machine&) const override { return {}; }

  Support supports(const ConvProblem& problem, const Machine&) const override {
    // Kernels without VNNI add pairs of products in 16 bits: at most 2 * 2 * 2, no saturation.
    // Partial sums reach 2 * K in 32 bits.
    constexpr std::int64_t limit = std::int64_t{1} << 29;
    if (problem.shape.k() > limit)
      return Support::unsupported(fmt::format(
          "K = {}: partial sums would not fit 32 bits (at most 2^29)", problem.shape.k()));
    return onednn_support(arithmetic(problem), problem.shape);
  }

  PackedFormat source_format(const ConvProblem& problem) const override {
    PackedFormat format{PackedForm::u8, problem.shape.in_channels};
    const PadValue pad = mapped_pad(problem);
    format.plus = pad == PadValue::minus_one ? 1 : pad == PadValue::zero ? 2 : 0;
    format.minus = pad == PadValue::plus_one ? 1 : 0;
    return format;
  }

  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    const std::vector<float> signs = sign_values(weights.values, problem.zero_rule);
    const auto k = static_cast<std::size_t>(problem.shape.k());
    const int factor = weight_factor(problem);
    std::vector<std::int8_t> scaled(signs.size());
    std::vector<std::int32_t> bias(static_cast<std::size_t>(problem.shape.out_channels));
    for (std::size_t i = 0; i < signs.size(); ++i) {
      const int sign = static_cast<int>(signs[i]);
      scaled[i] = static_cast<std::int8_t>(factor * sign);
      bias[i / k] -= factor / 2 * sign;
    }
    return std::make_unique<OnednnPlan<std::int32_t>>(
        problem, weights, context,
        OnednnConvolution(arithmetic(problem), problem.shape, scaled.data(), bias.data(),
                          context.cpu.threads, Category::weights_packed, context.ledger));
  }
  std::optional<double> bound(const CorePeakRates& core) const override {
    return dot_product_bound(core);
  }
};

#endif

}  // namespace

const Implementation& cpu_i8_onednn() {
#if XNORBENCH_HAVE_ONEDNN
  static const OnednnBytes implementation;
#else
  static const MissingImplementation implementation(
      onednn_info(), "built without oneDNN (Debian package libdnnl-dev)");
#endif
  return implementation;
}

}  // namespace xnorbench
