// Float convolution by cuDNN, channels-last. Only algorithms that add up products on FP32 units are
// used, so that sums of signs are exact: no Winograd, no FFT, no TF32.
#pragma once

#include <cudnn.h>

#include <memory>
#include <string>

#include "core/implementation.h"
#include "core/memory.h"
#include "kernels/cuda_device.h"

namespace xnorbench::cuda {

/// A convolution as cuDNN describes it. Needs no device.
class ConvolutionDescriptors {
 public:
  explicit ConvolutionDescriptors(const ConvShape& shape);

  cudnnTensorDescriptor_t source() const { return source_.get(); }
  cudnnFilterDescriptor_t weights() const { return weights_.get(); }
  cudnnConvolutionDescriptor_t convolution() const { return convolution_.get(); }
  cudnnTensorDescriptor_t sums() const { return sums_.get(); }

 private:
  template <typename T>
  using Owned = std::unique_ptr<T, cudnnStatus_t (*)(T*)>;
  Owned<cudnnTensorStruct> source_, sums_;
  Owned<cudnnFilterStruct> weights_;
  Owned<cudnnConvolutionStruct> convolution_;
};

/// Whether cuDNN has such an algorithm for the shape.
Support cudnn_support(CudaDevice& device, const ConvShape& shape);

class CudnnConvolution {
 public:
  struct Algorithm {
    cudnnConvolutionFwdAlgo_t algorithm{};
    std::size_t workspace_bytes = 0;
  };

  /// Finds the fastest algorithm whose scratchpad fits the limit, by running all of them. What was
  /// found for a shape is kept, so that one run of the program uses one algorithm. Throws
  /// InputError if none fits.
  CudnnConvolution(CudaDevice& device, const ConvShape& shape, std::size_t workspace_limit_bytes);

  /// cuDNN's name of the algorithm.
  std::string kernel_name() const;
  KernelName kernel() const { return {"", kernel_name()}; }
  MemoryUse workspace() const { return {Category::workspace_library, algorithm_.workspace_bytes}; }

  /// `source`: N, H, W, C; `weights`: O, KH, KW, I/groups; `sums`: N, H, W, O, dense. Zero padding.
  /// Asynchronous.
  void run(const float* source, const float* weights, float* sums, std::byte* workspace) const;

 private:
  CudaDevice* device_;
  std::shared_ptr<const ConvolutionDescriptors> descriptors_;
  Algorithm algorithm_;
};

}  // namespace xnorbench::cuda
