// What the implementations of the CUDA module ask of their device beyond core/device.h. CudaDevice is the real one;
// tests put one in its place that runs the same kernels on the host.
#pragma once

#include "core/device.h"
#include "kernels/launch.h"

struct cublasContext;
struct cudnnContext;

namespace xnorbench::cuda {

class GpuDevice : public Device {
 public:
  /// All work of the device is in this one queue.
  virtual Stream stream() const = 0;
  virtual int multiprocessors() const = 0;
  /// Library handles on that stream, made at the first call. Throw std::runtime_error with the library's message.
  virtual cublasContext* cublas() = 0;
  virtual cudnnContext* cudnn() = 0;
  /// Scratch memory that cuBLAS is to be given for each product.
  virtual std::size_t cublas_workspace_bytes() const = 0;

  std::unique_ptr<const Passes> make_passes(int threads) final;
};

/// The device of a ledger inside the module.
inline GpuDevice& gpu(Device& device) { return static_cast<GpuDevice&>(device); }

}  // namespace xnorbench::cuda
