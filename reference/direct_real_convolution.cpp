// Real-valued convolutions by plain loops.
#include "reference/direct_convolution.h"
#include "reference/real_convolutions.h"
#include "reference/real_parameters.h"

namespace xnorbench {
namespace {

class DirectRealConvolution final : public RealConvolution {
 public:
  DirectRealConvolution(const ConvShape& shape, std::span<const float> weights,
                        std::span<const float> bias, Context& context)
      : shape_(shape),
        threads_(context.cpu.threads),
        weights_(ohwi_weights(shape, weights, context.ledger)),
        bias_(copy_bias(bias, context.ledger)) {}

  KernelName kernel() const override { return {"baseline", ""}; }
  MemoryUse workspace() const override { return {}; }

  void run(const float* source, float* destination, std::byte*) override {
    const std::int64_t pixels = shape_.out_pixels();
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      float* const sums = destination + pixel * shape_.out_channels;
      direct_convolution_pixel(shape_, 0.0F, source, weights_.as<float>(), pixel, sums);
      add_bias(bias_.as<float>(), shape_.out_channels, sums);
    }
  }

 private:
  ConvShape shape_;
  int threads_;
  Buffer weights_, bias_;
};

}  // namespace

std::unique_ptr<RealConvolution> make_direct_convolution(const ConvShape& shape,
                                                         std::span<const float> weights,
                                                         std::span<const float> bias,
                                                         Context& context) {
  return std::make_unique<DirectRealConvolution>(shape, weights, bias, context);
}

}  // namespace xnorbench
