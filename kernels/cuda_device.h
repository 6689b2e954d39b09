// A real GPU.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "core/implementation.h"
#include "kernels/gpu_device.h"

namespace xnorbench::cuda {

/// Whether device 0 can run this build's kernels: there is one, its driver is new enough, and there is machine
/// code or PTX for it. Opens a context on it when there is.
Support probe_device();

/// The reason in words for what cudaGetDeviceCount said, `driver_version` and `runtime_version` as CUDA counts them
/// (12040 is 12.4); ok when there are devices.
Support device_support(cudaError_t error, int devices, int driver_version, int runtime_version);
/// The reason when the kernels cannot be loaded on a device of `name` and compute capability `major`.`minor`.
Support code_support(cudaError_t error, const std::string& name, int major, int minor);

class CudaDevice final : public GpuDevice {
 public:
  /// Device 0; probe_device() is ok.
  CudaDevice();
  ~CudaDevice() override;

  std::byte* allocate(std::size_t bytes, std::string_view what) override;
  void release(std::byte* data, std::size_t bytes) noexcept override;
  void write(void* to, const void* host, std::size_t bytes) override;
  void read(void* host, const void* from, std::size_t bytes) const override;
  std::size_t bytes_in_use() override;

  double time_ns(const std::function<void()>& work) override;
  double measure_clock_hz() override;
  void evict_caches() override;

  Stream stream() const override { return stream_; }
  int multiprocessors() const override { return properties_.multiProcessorCount; }
  cublasContext* cublas() override;
  cudnnContext* cudnn() override;
  std::size_t cublas_workspace_bytes() const override;

  const cudaDeviceProp& properties() const { return properties_; }

 private:
  cudaDeviceProp properties_{};
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  cublasContext* cublas_ = nullptr;
  cudnnContext* cudnn_ = nullptr;
  void* evicted_ = nullptr;  // twice the L2 cache
};

}  // namespace xnorbench::cuda
