#include "reference/cuda_real_convolution.h"

#include "core/weights.h"
#include "kernels/convert.h"
#include "kernels/launch.h"
#include "reference/cuda_cudnn_convolution.h"
#include "reference/cuda_im2col_gemm.h"

namespace xnorbench::cuda {
namespace {

/// `Convolution` as in cuda_float_plan.h.
template <typename Convolution>
class CudaRealConvolution final : public RealConvolution {
 public:
  CudaRealConvolution(const ConvShape& shape, std::span<const float> weights,
                      std::span<const float> bias, Context& context, Convolution convolution)
      : device_(cuda_device(context.ledger.device())),
        shape_(shape),
        convolution_(std::move(convolution)) {
    std::vector<float> ohwi(weights.size());
    to_ohwi(shape, weights, ohwi.data());
    weights_ = context.ledger.store<float>(Category::weights_real, ohwi, "real weights");
    bias_ = context.ledger.store<float>(Category::parameters, bias, "biases");
  }

  KernelName kernel() const override { return convolution_.kernel(); }
  MemoryUse workspace() const override { return convolution_.workspace(); }
  void run(const float* source, float* destination, std::byte* workspace) override {
    convolution_.run(source, weights_.as<float>(), destination, workspace);
    launch_add_per_channel(destination, bias_.as<float>(), to_int(shape_.out_pixels()),
                           to_int(shape_.out_channels), device_.stream());
  }

 private:
  CudaDevice& device_;
  ConvShape shape_;
  Convolution convolution_;
  Buffer weights_, bias_;
};

}  // namespace

Support supports_real(FloatBackend kind, const ConvShape& shape, Device& device) {
  if (Support countable = counts_fit(shape); !countable) return countable;
  return kind == FloatBackend::cudnn ? cudnn_support(cuda_device(device), shape) : Support{};
}

std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind, const ConvShape& shape,
                                                       std::span<const float> weights,
                                                       std::span<const float> bias,
                                                       Context& context) {
  CudaDevice& device = cuda_device(context.ledger.device());
  if (kind == FloatBackend::cublas)
    return std::make_unique<CudaRealConvolution<Im2colGemm>>(shape, weights, bias, context,
                                                             Im2colGemm(device, shape, 0.0F));
  return std::make_unique<CudaRealConvolution<CudnnConvolution>>(
      shape, weights, bias, context,
      CudnnConvolution(device, shape, context.workspace_limit_bytes));
}

}  // namespace xnorbench::cuda
