// A network's real-valued convolution, made ready on one float backend.
#pragma once

#include <cstddef>

#include "core/implementation.h"

namespace xnorbench {

/// What computes the real-valued convolutions of a network. Float sums depend on their order, so a
/// run uses one backend: results are identical only for the same backend, threads and batch.
enum class FloatBackend {
  onednn,
  openblas,  ///< im2col in bands of pixels, single-threaded SGEMM
  torch,     ///< OpenBLAS on the im2col buffer of whole images, as Torch7 does; one thread
  direct,    ///< plain loops
  cublas,
  cudnn,
};

/// A convolution with float weights, stored in the ledger of the context that made it.
class RealConvolution {
 public:
  virtual ~RealConvolution() = default;
  virtual KernelName kernel() const = 0;
  /// Bytes of the workspace that run() needs, by owner.
  virtual MemoryUse workspace() const = 0;
  /// Pads with zeros and adds the bias. Tensors are dense, in the order N, H, W, C. Pointers are
  /// the device's. On a GPU the call returns before its work is done.
  virtual void run(const float* source, float* destination, std::byte* workspace) = 0;
};

}  // namespace xnorbench
