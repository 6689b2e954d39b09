#include "kernels/probe.h"

#include <fmt/format.h>

#include "kernels/check.h"

namespace xnorbench::cuda {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Support device_support(cudaError_t error, int devices, int driver_version, int runtime_version) {
  auto none = [](const std::string& why) {
    return Support::unavailable("no CUDA device (" + why + ")");
  };
  if (error == cudaErrorInsufficientDriver) {
    if (driver_version == 0) return none("no NVIDIA driver is running");
    return none(fmt::format("the driver is for CUDA {}, this build needs {} or newer",
                            version_text(driver_version), version_text(runtime_version)));
  }
  if (error != cudaSuccess) return none(cudaGetErrorString(error));
  if (devices <= 0) return none("the driver shows none; see CUDA_VISIBLE_DEVICES");
  return {};
}

Support code_support(cudaError_t error, const std::string& name, int major, int minor) {
  if (error == cudaSuccess) return {};
  const bool no_code = error == cudaErrorNoKernelImageForDevice ||
                       error == cudaErrorInvalidDeviceFunction ||
                       error == cudaErrorUnsupportedPtxVersion;
  if (!no_code) return Support::unavailable(message_of(error, "loading the kernels on " + name));
  return Support::unavailable(fmt::format(
      "no code for {} (compute capability {}.{}) in this build, which has {}; build with "
      "-DXNORBENCH_CUDA_ARCHITECTURES={}{}",
      name, major, minor, XNORBENCH_CUDA_ARCHITECTURES, major, minor));
}

Support probe_device() {
  int devices = 0, driver_version = 0, runtime_version = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  cudaDriverGetVersion(&driver_version);
  cudaRuntimeGetVersion(&runtime_version);
  if (Support support = device_support(error, devices, driver_version, runtime_version); !support)
    return support;
  cudaDeviceProp properties{};
  if (const cudaError_t broken = cudaGetDeviceProperties(&properties, 0); broken != cudaSuccess)
    return Support::unavailable(message_of(broken, "device 0"));
  int has_pools = 0;
  cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 0);
  if (!has_pools)
    return Support::unavailable(fmt::format("{}: its driver has no memory pools", properties.name));
  return code_support(load_kernels(), properties.name, properties.major, properties.minor);
}

}  // namespace xnorbench::cuda
