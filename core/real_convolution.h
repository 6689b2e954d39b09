// A network's real-valued convolution, made ready on one float backend.
#pragma once

#include <cstddef>

#include "core/implementation.h"

namespace xnorbench {

/// What computes the real-valued convolutions of a network. One backend per run, since float sums
/// depend on their order: results are identical only for the same backend, threads and batch.
enum class FloatBackend {
  onednn,
  openblas,  ///< im2col in bands of pixels, single-threaded SGEMM
  torch,     ///< OpenBLAS on the im2col buffer of whole images, as Torch7 does; one thread
  direct,    ///< plain loops
  cublas,
  cudnn,
};

class RealConvolution {
 public:
  virtual ~RealConvolution() = default;
  virtual KernelName kernel() const = 0;
  virtual MemoryUse workspace() const = 0;
  /// Zero padding; the bias is added. Tensors are dense, in the order N, H, W, C. Pointers are the
  /// device's.
  virtual void run(const float* source, float* destination, std::byte* workspace) = 0;
};

}  // namespace xnorbench
