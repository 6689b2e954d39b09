// What libxnorbench_cuda.so gives to the program.
#include "core/cuda_module.h"

#include <fmt/format.h>

#include <optional>

#include "kernels/check.h"
#include "kernels/cuda_device.h"
#include "kernels/cuda_libraries.h"
#include "kernels/module_list.h"
#include "kernels/probe.h"
#include "reference/cuda_real_convolution.h"

namespace xnorbench::cuda {
namespace {

class Module final : public CudaModule {
 public:
  Support available() override {
    if (!support_) support_ = probe_device();
    return *support_;
  }
  Device& device() override { return real_device(); }
  const CudaImplementation& implementation(std::string_view name) override {
    return find_implementation(name);
  }
  Support supports(FloatBackend kind, const ConvShape& shape) override {
    return supports_real(kind, shape, device());
  }
  std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind, const ConvShape& shape,
                                                         std::span<const float> weights,
                                                         std::span<const float> bias,
                                                         Context& context) override {
    return cuda::make_real_convolution(kind, shape, weights, bias, context);
  }

  nlohmann::ordered_json description() override {
    const cudaDeviceProp& p = real_device().properties();
    int driver = 0, runtime = 0;
    check(cudaDriverGetVersion(&driver), "driver version");
    check(cudaRuntimeGetVersion(&runtime), "runtime version");
    return {{"name", p.name},
            {"compute_capability", fmt::format("{}.{}", p.major, p.minor)},
            {"multiprocessors", p.multiProcessorCount},
            {"memory_bytes", p.totalGlobalMem},
            {"l2_bytes", p.l2CacheSize},
            {"driver_cuda", version_text(driver)},
            {"runtime_cuda", version_text(runtime)},
            {"cublas", cublas_version()},
            {"cudnn", cudnn_version()}};
  }

 private:
  CudaDevice& real_device() {
    if (!device_) device_ = std::make_unique<CudaDevice>();
    return *device_;
  }

  std::optional<Support> support_;
  std::unique_ptr<CudaDevice> device_;
};

}  // namespace
}  // namespace xnorbench::cuda

xnorbench::CudaModule* xnorbench_cuda_module() {
  // Never destroyed: the driver may be gone before the last static object.
  static auto* const module = new xnorbench::cuda::Module;
  return module;
}
