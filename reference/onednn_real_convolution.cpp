// Real-valued convolutions by oneDNN.
#include "reference/onednn_convolution.h"
#include "reference/real_convolutions.h"

namespace xnorbench {
namespace {

class OnednnRealConvolution final : public RealConvolution {
 public:
  OnednnRealConvolution(const ConvShape& shape, std::span<const float> weights,
                        std::span<const float> bias, Context& context)
      : convolution_({.with_bias = true}, shape, weights.data(), bias.data(), context.cpu.threads,
                     Category::weights_real, context.ledger) {}

  KernelName kernel() const override {
    return {onednn_isa(convolution_.kernel_name()), convolution_.kernel_name()};
  }
  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_library] = convolution_.scratchpad_bytes();
    return use;
  }
  void run(const float* source, float* destination, std::byte* workspace) override {
    convolution_.run(source, destination, workspace);
  }

 private:
  OnednnConvolution convolution_;
};

}  // namespace

std::unique_ptr<RealConvolution> make_onednn_convolution(const ConvShape& shape,
                                                         std::span<const float> weights,
                                                         std::span<const float> bias,
                                                         Context& context) {
  return std::make_unique<OnednnRealConvolution>(shape, weights, bias, context);
}

}  // namespace xnorbench
