// Real-valued convolutions by im2col and OpenBLAS: in bands of pixels, and by whole images as
// Torch7 does.
#include <algorithm>
#include <vector>

#include "reference/im2col_gemm.h"
#include "reference/real_convolutions.h"
#include "reference/real_parameters.h"

namespace xnorbench {
namespace {

class OpenblasRealConvolution final : public RealConvolution {
 public:
  OpenblasRealConvolution(const ConvShape& shape, std::span<const float> weights,
                          std::span<const float> bias, Context& context)
      : shape_(shape),
        threads_(context.cpu.threads),
        gemm_(shape, 0.0F, context.cpu.threads),
        weights_(ohwi_weights(shape, weights, context.ledger)),
        bias_(copy_bias(bias, context.ledger)) {}

  KernelName kernel() const override {
    return {Im2colGemm::core_name(), "sgemm:" + Im2colGemm::core_name()};
  }
  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_columns] = static_cast<std::size_t>(threads_) * gemm_.im2col_bytes();
    return use;
  }

  void run(const float* source, float* destination, std::byte* workspace) override {
    gemm_.for_each_band([&](int thread, std::int64_t first, std::int64_t pixels) {
      auto* const im2col = reinterpret_cast<float*>(workspace + static_cast<std::size_t>(thread) *
                                                                    gemm_.im2col_bytes());
      float* const sums = destination + first * shape_.out_channels;
      gemm_.run_band(source, weights_.as<float>(), first, pixels, im2col, sums);
      for (std::int64_t p = 0; p < pixels; ++p)
        add_bias(bias_.as<float>(), shape_.out_channels, sums + p * shape_.out_channels);
    });
  }

 private:
  ConvShape shape_;
  int threads_;
  Im2colGemm gemm_;
  Buffer weights_, bias_;
};

/// Does what Torch7's SpatialConvolutionMM does. For one image after another it fills an im2col
/// buffer of the whole image (even of a pointwise layer) and calls SGEMM once. A vector of ones
/// spreads the bias.
class TorchRealConvolution final : public RealConvolution {
 public:
  TorchRealConvolution(const ConvShape& shape, std::span<const float> weights,
                       std::span<const float> bias, Context& context)
      : shape_(shape),
        gemm_(shape, 0.0F, 1),
        weights_(ohwi_weights(shape, weights, context.ledger)),
        bias_(copy_bias(bias, context.ledger)),
        ones_(context.ledger.store<float>(
            Category::workspace_columns,
            std::vector<float>(static_cast<std::size_t>(image_pixels()), 1.0F), "ones")) {}

  KernelName kernel() const override {
    return {Im2colGemm::core_name(), "sgemm:" + Im2colGemm::core_name()};
  }
  MemoryUse workspace() const override { return {Category::workspace_columns, im2col_bytes()}; }

  void run(const float* source, float* destination, std::byte* workspace) override {
    auto* const im2col = reinterpret_cast<float*>(workspace);
    const float* const ones = ones_.as<float>();
    Im2colGemm::use_single_threaded_gemm();
    for (std::int64_t image = 0; image < shape_.batch; ++image) {
      const std::int64_t first = image * image_pixels();
      float* const sums = destination + first * shape_.out_channels;
      if (shape_.is_pointwise()) {
        std::copy_n(source + first * shape_.in_channels, image_pixels() * shape_.in_channels,
                    im2col);
        gemm_.run_band(im2col, weights_.as<float>(), 0, image_pixels(), nullptr, sums);
      } else {
        gemm_.run_band(source, weights_.as<float>(), first, image_pixels(), im2col, sums);
      }
      for (std::int64_t p = 0; p < image_pixels(); ++p)
        for (std::int64_t o = 0; o < shape_.out_channels; ++o)
          sums[p * shape_.out_channels + o] += ones[p] * bias_.as<float>()[o];
    }
  }

 private:
  std::int64_t image_pixels() const { return shape_.out_pixels() / shape_.batch; }
  std::size_t im2col_bytes() const {
    return align_up(static_cast<std::size_t>(image_pixels() * shape_.k() * shape_.groups) *
                    sizeof(float));
  }

  ConvShape shape_;
  Im2colGemm gemm_;
  Buffer weights_, bias_;
  Buffer ones_;  // kept, as the module keeps it
};

}  // namespace

std::unique_ptr<RealConvolution> make_openblas_convolution(const ConvShape& shape,
                                                           std::span<const float> weights,
                                                           std::span<const float> bias,
                                                           Context& context) {
  return std::make_unique<OpenblasRealConvolution>(shape, weights, bias, context);
}

std::unique_ptr<RealConvolution> make_torch_convolution(const ConvShape& shape,
                                                        std::span<const float> weights,
                                                        std::span<const float> bias,
                                                        Context& context) {
  return std::make_unique<TorchRealConvolution>(shape, weights, bias, context);
}

}  // namespace xnorbench
