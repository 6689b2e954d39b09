// cpu_xnor_simd: the vector kernel of the instruction set that was chosen.
#include "cpu/bounds.h"
#include "cpu/simd_convolution.h"

namespace xnorbench {
namespace {

/// Null when there is none for this instruction set.
const SimdKernel* find_kernel(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::avx2: return &avx2_kernel;
    case Isa::avx512bw: return &avx512bw_kernel;
    case Isa::avx512bitalg: return &avx512bitalg_kernel;
    case Isa::baseline: break;
  }
  return nullptr;
#elif defined(__aarch64__)
  return isa == Isa::baseline ? &neon_kernel : nullptr;
#else
  return nullptr;
#endif
}

class SimdImplementation final : public Implementation {
 public:
  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine& machine) const override {
    const Isa best = find_isas(machine).back();
    if (find_kernel(best)) return {};
    return Support::unavailable("no kernel for " + to_string(best) +
                                "; there are some for AVX2, AVX-512 and NEON");
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

const Implementation& cpu_xnor_simd() {
  static const SimdImplementation implementation;
  return implementation;
}

}  // namespace xnorbench
