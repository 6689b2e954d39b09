// The GPU as a device. All its work is in one stream, all its memory in one pool.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "core/implementation.h"

struct cublasContext;
struct cudnnContext;

namespace xnorbench::cuda {

class CudaDevice final : public Device {
 public:
  /// Device 0; probe_device() (kernels/probe.h) is ok.
  CudaDevice();
  ~CudaDevice() override;

  std::byte* allocate(std::size_t bytes, std::string_view what) override;
  void release(std::byte* data, std::size_t bytes) noexcept override;
  void write(void* to, const void* host, std::size_t bytes) override;
  void read(void* host, const void* from, std::size_t bytes) const override;
  /// Of all processes. The driver takes memory in blocks of megabytes.
  std::size_t bytes_in_use() override;

  /// From the beginning of the first kernel to the end of the last one. If launching takes longer
  /// than the work, that includes the gaps between kernels.
  double time_ns(const std::function<void()>& work) override;
  double shortest_sample_ns() const override { return 1e6; }  // events resolve half a microsecond
  double measure_clock_hz() override;
  void evict_caches() override;
  std::unique_ptr<const ElementwiseOperations> make_elementwise(const CpuShare& cpu) override;

  cudaStream_t stream() const { return stream_; }
  int multiprocessors() const { return properties_.multiProcessorCount; }
  /// "sm_90": the architecture that kernels are compiled for, in the build or from PTX at load
  /// time.
  std::string isa() const;
  /// Library handles on the stream, made at the first call. Throw std::runtime_error with the
  /// library's message.
  cublasContext* cublas();
  cudnnContext* cudnn();
  /// Bytes of scratch memory to give to cuBLAS for each product.
  std::size_t cublas_workspace_bytes() const;
  const cudaDeviceProp& properties() const { return properties_; }

 private:
  cudaDeviceProp properties_{};
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  cublasContext* cublas_ = nullptr;
  cudnnContext* cudnn_ = nullptr;
  long long* elapsed_ = nullptr;  // cycles that a clock kernel counted
  void* evicted_ = nullptr;       // twice the L2 cache
};

/// The CudaDevice behind a ledger's device.
inline CudaDevice& cuda_device(Device& device) { return static_cast<CudaDevice&>(device); }

}  // namespace xnorbench::cuda
