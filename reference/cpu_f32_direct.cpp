// cpu_f32_direct: the loop nest that papers call the unoptimised baseline.
#include <omp.h>

#include "core/float_limits.h"
#include "core/implementation.h"
#include "core/weights.h"
#include "cpu/bounds.h"
#include "reference/direct_convolution.h"

namespace xnorbench {
namespace {

class DirectPlan final : public Plan {
 public:
  DirectPlan(const ConvProblem& problem, const Weights& weights, Context& context)
      : problem_(problem),
        threads_(context.cpu.threads),
        weights_(float_sign_weights(problem, weights.values, context.ledger)),
        epilogue_(problem, weights.epilogue, SumType::f32, context.ledger, context.cpu.isa) {}

  KernelName kernel() const override { return {"baseline", ""}; }
  SumType sum_type() const override { return SumType::f32; }

  MemoryUse workspace() const override {
    MemoryUse use;
    if (!epilogue_.keeps_sums())
      use[Category::workspace_columns] =
          static_cast<std::size_t>(threads_ * problem_.shape.out_channels) * sizeof(float);
    return use;
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    const ConvShape& shape = problem_.shape;
    const float pad = to_float(problem_.pad_value);
    const std::int64_t pixels = shape.out_pixels();
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      float* const sums =
          epilogue_.keeps_sums()
              ? static_cast<float*>(output.sums) + pixel * shape.out_channels
              : reinterpret_cast<float*>(workspace) + omp_get_thread_num() * shape.out_channels;
      direct_convolution_pixel(shape, pad, static_cast<const float*>(source), weights_.as<float>(),
                               pixel, sums);
      if (!epilogue_.keeps_sums()) epilogue_.apply(sums, pixel, 1, output);
    }
  }

 private:
  ConvProblem problem_;
  int threads_;
  Buffer weights_;
  Epilogue epilogue_;
};

class Direct final : public Implementation {
 public:
  const ImplementationInfo& info() const override {
    static const ImplementationInfo info{
        "cpu_f32_direct", "cpu", "f32",
        "plain loop nest in float, the unoptimised baseline of the papers"};
    return info;
  }
  Support available(const Machine&) const override { return {}; }
  Support supports(const ConvProblem& problem, const Machine&) const override {
    return exact_in_float(problem.shape.k());
  }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return {PackedForm::f32, problem.shape.in_channels};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<DirectPlan>(problem, weights, context);
  }
  std::optional<double> bound(const CorePeakRates& core) const override { return f32_bound(core); }
};

}  // namespace

const Implementation& cpu_f32_direct() {
  static const Direct implementation;
  return implementation;
}

}  // namespace xnorbench
