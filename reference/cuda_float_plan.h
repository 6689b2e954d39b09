// The plan of all cuda_f32_* implementations: a float convolution, then the epilogue.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/implementation.h"
#include "core/weights.h"
#include "kernels/convert.h"
#include "kernels/cuda_device.h"
#include "kernels/device_epilogue.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {

/// Binary weights as floats in the order that cuBLAS and cuDNN read: O, KH, KW, I/groups.
inline std::vector<float> ohwi_signs(const ConvProblem& problem, std::span<const float> oihw) {
  std::vector<float> ohwi(oihw.size());
  to_ohwi(problem.shape, sign_values(oihw, problem.zero_rule), ohwi.data());
  return ohwi;
}

/// `Convolution`: kernel(), workspace() and run(source, weights, sums, workspace).
template <typename Convolution>
class FloatPlan final : public Plan {
 public:
  /// `weights`: +1 and -1 in the order that the convolution reads. `offset`: added to the sums of
  /// each channel; empty: nothing.
  FloatPlan(const ConvProblem& problem, const EpilogueParameters& epilogue, Context& context,
            Convolution convolution, const std::vector<float>& weights,
            const std::vector<float>& offset = {})
      : device_(cuda_device(context.ledger.device())),
        shape_(problem.shape),
        convolution_(std::move(convolution)),
        epilogue_(problem, epilogue, context.ledger),
        weights_(
            context.ledger.store<float>(Category::weights_packed, weights, "weights as floats")) {
    if (!offset.empty())
      offset_ = context.ledger.store<float>(Category::parameters, offset, "padding correction");
  }

  KernelName kernel() const override { return convolution_.kernel(); }
  SumType sum_type() const override { return SumType::f32; }
  MemoryUse workspace() const override {
    MemoryUse use = convolution_.workspace();
    use[Category::workspace_columns] += sums_bytes();
    return use;
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    const int pixels = to_int(shape_.out_pixels());
    auto* const sums = static_cast<float*>(epilogue_.keeps_sums() ? output.sums : workspace);
    convolution_.run(static_cast<const float*>(source), weights_.as<float>(), sums,
                     workspace + sums_bytes());
    if (!epilogue_.keeps_sums())
      launch_epilogue(sums, offset_.as<float>(), pixels, epilogue_.arguments(output),
                      device_.stream());
    else if (offset_.size() > 0)
      launch_add_per_channel(sums, offset_.as<float>(), pixels, to_int(shape_.out_channels),
                             device_.stream());
  }

 private:
  std::size_t sums_bytes() const {
    return epilogue_.keeps_sums()
               ? 0
               : align_up(static_cast<std::size_t>(shape_.output_count()) * sizeof(float));
  }

  CudaDevice& device_;
  ConvShape shape_;
  Convolution convolution_;
  DeviceEpilogue epilogue_;
  Buffer weights_, offset_;
};

}  // namespace xnorbench::cuda
