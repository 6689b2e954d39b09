// cpu_xnor_simd: the vector kernel of the instruction set that was chosen.
#include "cpu/bounds.h"
#include "cpu/simd_convolution.h"

namespace xnorbench {
namespace {

struct Choice {
  const char* isa;
  const SimdKernel* kernel;
};

constexpr Choice choices[] = {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) {#name, &kernel##_kernel},
#include "core/isas.def"
#undef XNORBENCH_ISA
};

bool exists(const SimdKernel& kernel) { return kernel.run != nullptr; }

/// Null when there is none for this instruction set.
const SimdKernel* find_kernel(Isa isa) {
  const SimdKernel& kernel = *choices[static_cast<std::size_t>(isa)].kernel;
  return exists(kernel) ? &kernel : nullptr;
}

/// "no kernel for sse2, only for avx2, avx512bw, avx512bitalg"
std::string no_kernel(Isa isa) {
  std::string with_kernel;
  for (const Choice& choice : choices)
    if (exists(*choice.kernel))
      with_kernel += (with_kernel.empty() ? "" : ", ") + std::string(choice.isa);
  return "no kernel for " + to_string(isa) +
         (with_kernel.empty() ? "" : ", only for " + with_kernel);
}

class SimdImplementation final : public Implementation {
 public:
  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine& machine) const override {
    const Isa best = find_isas(machine).back();
    if (find_kernel(best)) return {};
    return Support::unavailable(no_kernel(best));
  }
  Support supports(const ConvProblem&, const Machine& machine) const override {
    return available(machine);
  }
  /// Bits, a word boundary per group.
  PackedFormat source_format(const ConvProblem& problem) const override {
    return packed_format(problem);
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<SimdConvolutionPlan>(*find_kernel(context.cpu.isa),
                                                 source_format(problem), problem, weights, context);
  }
  std::optional<double> bound(const CorePeakRates& core) const override {
    const SimdKernel* const kernel = find_kernel(core.chosen.isa);
    return kernel ? simd_bound(*kernel, core) : std::nullopt;
  }

 private:
  ImplementationInfo info_{
      "cpu_xnor_simd", "cpu", "xnor",
      "XOR and popcount on vectors: a byte-shuffle table for pairs of pixels, or VPOPCNTW"};
};

}  // namespace

const SimdKernel none_kernel{};

const Implementation& cpu_xnor_simd() {
  static const SimdImplementation implementation;
  return implementation;
}

}  // namespace xnorbench
