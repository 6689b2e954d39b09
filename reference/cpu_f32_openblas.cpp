// cpu_f32_openblas: im2col and OpenBLAS SGEMM, as float frameworks usually compute on a CPU.
#include <algorithm>
#include <limits>

#include "core/float_limits.h"
#include "core/implementation.h"
#include "core/missing_implementation.h"
#include "core/weights.h"
#include "cpu/bounds.h"
#include "reference/im2col_gemm.h"

namespace xnorbench {
namespace {

ImplementationInfo openblas_info() {
  return {"cpu_f32_openblas", "cpu", "f32", "im2col in bands and OpenBLAS SGEMM"};
}

#if XNORBENCH_HAVE_OPENBLAS

class OpenblasPlan final : public Plan {
 public:
  OpenblasPlan(const ConvProblem& problem, const Weights& weights, Context& context)
      : shape_(problem.shape),
        threads_(context.cpu.threads),
        gemm_(problem.shape, to_float(problem.pad_value), context.cpu.threads),
        weights_(float_sign_weights(problem, weights.values, context.ledger)),
        epilogue_(problem, weights.epilogue, SumType::f32, context.ledger, context.cpu.isa) {}

  KernelName kernel() const override {
    return {Im2colGemm::core_name(), "sgemm:" + Im2colGemm::core_name()};
  }
  SumType sum_type() const override { return SumType::f32; }

  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_columns] = static_cast<std::size_t>(threads_) * thread_bytes();
    return use;
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    gemm_.for_each_band([&](int thread, std::int64_t first, std::int64_t pixels) {
      std::byte* const own = workspace + static_cast<std::size_t>(thread) * thread_bytes();
      auto* const sums = epilogue_.keeps_sums()
                             ? static_cast<float*>(output.sums) + first * shape_.out_channels
                             : reinterpret_cast<float*>(own + gemm_.im2col_bytes());
      gemm_.run_band(static_cast<const float*>(source), weights_.as<float>(), first, pixels,
                     reinterpret_cast<float*>(own), sums);
      if (!epilogue_.keeps_sums()) epilogue_.apply(sums, first, pixels, output);
    });
  }

 private:
  /// The im2col buffer of one thread's band and, unless they are the output, its sums.
  std::size_t thread_bytes() const {
    const auto sums =
        static_cast<std::size_t>(gemm_.band_pixels() * shape_.out_channels) * sizeof(float);
    return gemm_.im2col_bytes() + (epilogue_.keeps_sums() ? 0 : align_up(sums));
  }

  ConvShape shape_;
  int threads_;
  Im2colGemm gemm_;
  Buffer weights_;
  Epilogue epilogue_;
};

class Openblas final : public Implementation {
 public:
  const ImplementationInfo& info() const override {
    static const ImplementationInfo info = openblas_info();
    return info;
  }
  Support available(const Machine&) const override { return {}; }
  Support supports(const ConvProblem& problem, const Machine&) const override {
    const ConvShape& s = problem.shape;
    if (std::max({s.in_channels, s.out_channels, s.out_pixels()}) >
        std::numeric_limits<std::int32_t>::max())
      return Support::unsupported("a matrix side does not fit OpenBLAS's 32-bit sizes");
    return exact_in_float(s.k());
  }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return {PackedForm::f32, problem.shape.in_channels};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<OpenblasPlan>(problem, weights, context);
  }
  std::optional<double> bound(const CorePeakRates& core) const override { return f32_bound(core); }
};

#endif

}  // namespace

const Implementation& cpu_f32_openblas() {
#if XNORBENCH_HAVE_OPENBLAS
  static const Openblas implementation;
#else
  static const MissingImplementation implementation(
      openblas_info(), "built without OpenBLAS (Debian package libopenblas-dev)");
#endif
  return implementation;
}

}  // namespace xnorbench
