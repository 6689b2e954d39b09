// The plan of cpu_f32_onednn and cpu_i8_onednn: one oneDNN primitive for the whole layer, then the
// epilogue.
#pragma once

#include <type_traits>
#include <utility>

#include "core/implementation.h"
#include "reference/onednn_convolution.h"

namespace xnorbench {

/// `Sum`: what the primitive writes, float or std::int32_t.
template <typename Sum>
class OnednnPlan final : public Plan {
 public:
  OnednnPlan(const ConvProblem& problem, const Weights& weights, Context& context,
             OnednnConvolution convolution)
      : shape_(problem.shape),
        threads_(context.cpu.threads),
        convolution_(std::move(convolution)),
        epilogue_(problem, weights.epilogue,
                  std::is_same_v<Sum, float> ? SumType::f32 : SumType::i32, context.ledger,
                  context.cpu.isa) {}

  KernelName kernel() const override {
    return {onednn_isa(convolution_.kernel_name()), convolution_.kernel_name()};
  }
  SumType sum_type() const override {
    return std::is_same_v<Sum, float> ? SumType::f32 : SumType::i32;
  }

  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_library] = aligned_scratchpad();
    if (!epilogue_.keeps_sums())
      use[Category::workspace_columns] =
          static_cast<std::size_t>(shape_.output_count()) * sizeof(Sum);
    return use;
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    auto* const sums = epilogue_.keeps_sums()
                           ? static_cast<Sum*>(output.sums)
                           : reinterpret_cast<Sum*>(workspace + aligned_scratchpad());
    convolution_.run(source, sums, workspace);
    if (!epilogue_.keeps_sums())
      apply_in_parallel(epilogue_, sums, 0, shape_.out_pixels(), shape_.out_channels, threads_,
                        output);
  }

 private:
  std::size_t aligned_scratchpad() const { return align_up(convolution_.scratchpad_bytes()); }

  ConvShape shape_;
  int threads_;
  OnednnConvolution convolution_;
  Epilogue epilogue_;
};

}  // namespace xnorbench
