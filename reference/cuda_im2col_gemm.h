// Float convolution on a GPU as im2col and cuBLAS SGEMM, in bands of output pixels.
#pragma once

#include "core/implementation.h"
#include "kernels/cuda_device.h"

namespace xnorbench::cuda {

class Im2colGemm {
 public:
  /// `pad`: value of the elements outside the tensor.
  Im2colGemm(CudaDevice& device, const ConvShape& shape, float pad);

  KernelName kernel() const;
  /// The im2col buffer of one band (none if the tensor is the matrix already) and cuBLAS's own
  /// workspace.
  MemoryUse workspace() const;

  /// `source`: N, H, W, C; `weights`: O, KH, KW, I/groups; `sums`: N, H, W, O, dense. Asynchronous.
  void run(const float* source, const float* weights, float* sums, std::byte* workspace) const;

 private:
  std::size_t im2col_bytes() const;
  void run_band(const float* source, const float* weights, int group, std::int64_t first,
                std::int64_t pixels, float* im2col, float* sums) const;

  CudaDevice* device_;
  ConvShape shape_;
  float pad_;
  std::int64_t band_pixels_;
};

}  // namespace xnorbench::cuda
