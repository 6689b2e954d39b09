#include "reference/real_convolution.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/error.h"
#include "core/weights.h"
#include "kernels/module.h"
#include "reference/direct_convolution.h"
#if XNORBENCH_HAVE_OPENBLAS
#include "reference/im2col_gemm.h"
#endif
#if XNORBENCH_HAVE_ONEDNN
#include "reference/onednn_convolution.h"
#endif

namespace xnorbench {
namespace {

constexpr RealLayers all_kinds[] = {RealLayers::onednn, RealLayers::openblas, RealLayers::torch,
                                    RealLayers::direct, RealLayers::cublas, RealLayers::cudnn};

Buffer ohwi_weights(const ConvShape& shape, std::span<const float> weights, Ledger& ledger) {
  Buffer buffer = ledger.allocate(Category::weights_real, weights.size_bytes(), "real weights");
  to_ohwi(shape, weights, buffer.as<float>());
  return buffer;
}

Buffer copy_bias(std::span<const float> bias, Ledger& ledger) {
  Buffer buffer = ledger.allocate(Category::parameters, bias.size_bytes(), "biases");
  std::memcpy(buffer.data(), bias.data(), bias.size_bytes());
  return buffer;
}

void add_bias(const float* bias, std::int64_t channels, float* pixel) {
  for (std::int64_t o = 0; o < channels; ++o) pixel[o] += bias[o];
}

class DirectRealConvolution final : public RealConvolution {
 public:
  DirectRealConvolution(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias,
                        Context& context)
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

#if XNORBENCH_HAVE_OPENBLAS

class OpenblasRealConvolution final : public RealConvolution {
 public:
  OpenblasRealConvolution(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias,
                          Context& context)
      : shape_(shape),
        threads_(context.cpu.threads),
        gemm_(shape, 0.0F, context.cpu.threads),
        weights_(ohwi_weights(shape, weights, context.ledger)),
        bias_(copy_bias(bias, context.ledger)) {}

  KernelName kernel() const override { return {Im2colGemm::core_name(), "sgemm:" + Im2colGemm::core_name()}; }
  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_columns] = static_cast<std::size_t>(threads_) * gemm_.columns_bytes();
    return use;
  }

  void run(const float* source, float* destination, std::byte* workspace) override {
    gemm_.for_each_band([&](int thread, std::int64_t first, std::int64_t pixels) {
      auto* const columns =
          reinterpret_cast<float*>(workspace + static_cast<std::size_t>(thread) * gemm_.columns_bytes());
      float* const sums = destination + first * shape_.out_channels;
      gemm_.run_band(source, weights_.as<float>(), first, pixels, columns, sums);
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

/// As Torch7's SpatialConvolutionMM: image after image, the columns of all of it (of a pointwise layer too), a vector of
/// ones that spreads the bias, one SGEMM.
class TorchRealConvolution final : public RealConvolution {
 public:
  TorchRealConvolution(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias, Context& context)
      : shape_(shape),
        gemm_(shape, 0.0F, 1),
        weights_(ohwi_weights(shape, weights, context.ledger)),
        bias_(copy_bias(bias, context.ledger)),
        ones_(context.ledger.store<float>(Category::workspace_columns,
                                          std::vector<float>(static_cast<std::size_t>(image_pixels()), 1.0F), "ones")) {}

  KernelName kernel() const override { return {Im2colGemm::core_name(), "sgemm:" + Im2colGemm::core_name()}; }
  MemoryUse workspace() const override { return {Category::workspace_columns, columns_bytes()}; }

  void run(const float* source, float* destination, std::byte* workspace) override {
    auto* const columns = reinterpret_cast<float*>(workspace);
    const float* const ones = ones_.as<float>();
    Im2colGemm::use_single_threaded_gemm();
    for (std::int64_t image = 0; image < shape_.batch; ++image) {
      const std::int64_t first = image * image_pixels();
      float* const sums = destination + first * shape_.out_channels;
      if (shape_.is_pointwise()) {
        std::copy_n(source + first * shape_.in_channels, image_pixels() * shape_.in_channels, columns);
        gemm_.run_band(columns, weights_.as<float>(), 0, image_pixels(), nullptr, sums);
      } else {
        gemm_.run_band(source, weights_.as<float>(), first, image_pixels(), columns, sums);
      }
      for (std::int64_t p = 0; p < image_pixels(); ++p)
        for (std::int64_t o = 0; o < shape_.out_channels; ++o) sums[p * shape_.out_channels + o] += ones[p] * bias_.as<float>()[o];
    }
  }

 private:
  std::int64_t image_pixels() const { return shape_.out_pixels() / shape_.batch; }
  std::size_t columns_bytes() const {
    return align_up(static_cast<std::size_t>(image_pixels() * shape_.k() * shape_.groups) * sizeof(float));
  }

  ConvShape shape_;
  Im2colGemm gemm_;
  Buffer weights_, bias_;
  Buffer ones_;  // kept, as the module keeps it
};

#endif
#if XNORBENCH_HAVE_ONEDNN

class OnednnRealConvolution final : public RealConvolution {
 public:
  OnednnRealConvolution(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias,
                        Context& context)
      : convolution_({.with_bias = true}, shape, weights.data(), bias.data(), context.cpu.threads, Category::weights_real,
                     context.ledger) {}

  KernelName kernel() const override { return {onednn_isa(convolution_.kernel_name()), convolution_.kernel_name()}; }
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

#endif

}  // namespace

std::string to_string(RealLayers kind) {
  switch (kind) {
    case RealLayers::onednn: return "onednn";
    case RealLayers::openblas: return "openblas";
    case RealLayers::torch: return "torch";
    case RealLayers::direct: return "direct";
    case RealLayers::cublas: return "cublas";
    case RealLayers::cudnn: return "cudnn";
  }
  return {};
}

std::string device_of(RealLayers kind) {
  return kind == RealLayers::cublas || kind == RealLayers::cudnn ? "cuda" : "cpu";
}

RealLayers default_real_layers(const std::string& device) {
  if (device == "cuda") return RealLayers::cublas;
  for (RealLayers kind : {RealLayers::onednn, RealLayers::openblas})
    if (available(kind)) return kind;
  return RealLayers::direct;
}

RealLayers parse_real_layers(const std::string& name) {
  for (RealLayers kind : all_kinds)
    if (to_string(kind) == name) return kind;
  throw_unknown("real layers", name, "onednn, openblas, torch, direct, cublas, cudnn");
}

Support available(RealLayers kind) {
  if (kind == RealLayers::onednn && !XNORBENCH_HAVE_ONEDNN)
    return Support::unavailable("real layers by oneDNN: built without it (Debian package libdnnl-dev)");
  if ((kind == RealLayers::openblas || kind == RealLayers::torch) && !XNORBENCH_HAVE_OPENBLAS)
    return Support::unavailable("real layers by OpenBLAS: built without it (Debian package libopenblas-dev)");
  if (device_of(kind) == "cuda") return cuda_support();
  return {};
}

Support supports(RealLayers kind, const ConvShape& shape) {
  if (Support here = available(kind); !here) return here;
#if XNORBENCH_HAVE_ONEDNN
  if (kind == RealLayers::onednn) return onednn_support({.with_bias = true}, shape);
#endif
  if (device_of(kind) == "cuda") return cuda_module().supports(kind, shape);
  return {};
}

std::optional<RealLayers> real_layers_of(const Implementation& implementation) {
  for (RealLayers kind : all_kinds)
    if (implementation.info().name == device_of(kind) + "_f32_" + to_string(kind)) return kind;
  return std::nullopt;
}

RealLayers real_layers_beside(const Implementation& implementation) {
  const ImplementationInfo& info = implementation.info();
  if (!info.real_layers.empty())
    if (const RealLayers named = parse_real_layers(info.real_layers); available(named)) return named;
  return real_layers_of(implementation).value_or(default_real_layers(info.device));
}

std::unique_ptr<RealConvolution> make_real_convolution(RealLayers kind, const ConvShape& shape,
                                                       std::span<const float> weights, std::span<const float> bias,
                                                       Context& context) {
  switch (kind) {
#if XNORBENCH_HAVE_ONEDNN
    case RealLayers::onednn: return std::make_unique<OnednnRealConvolution>(shape, weights, bias, context);
#endif
#if XNORBENCH_HAVE_OPENBLAS
    case RealLayers::openblas: return std::make_unique<OpenblasRealConvolution>(shape, weights, bias, context);
    case RealLayers::torch: return std::make_unique<TorchRealConvolution>(shape, weights, bias, context);
#endif
    case RealLayers::direct: return std::make_unique<DirectRealConvolution>(shape, weights, bias, context);
    case RealLayers::cublas:
    case RealLayers::cudnn: return cuda_module().make_real_convolution(kind, shape, weights, bias, context);
    default: throw std::logic_error("real layers by " + to_string(kind) + " are not in this build");
  }
}

}  // namespace xnorbench
