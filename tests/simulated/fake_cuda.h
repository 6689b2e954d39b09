// What tests may tell and ask the stand-in for the CUDA runtime.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace xnorbench::cuda {

struct FakeCuda {
  cudaError_t count_error = cudaSuccess;  ///< of cudaGetDeviceCount
  int devices = 1;
  int has_memory_pools = 1;
  cudaError_t kernels_error = cudaSuccess;  ///< of loading a kernel
  cudaError_t pending_error = cudaSuccess;  ///< of the next launch, copy or wait; then it is over
  bool error_stays = false;  ///< as after a fault of a kernel: of all calls from then on
  std::size_t memory_bytes = std::size_t{4} << 30;
  std::size_t used_bytes = 0;  ///< what is allocated now
};
/// The one device there is: the host.
FakeCuda& fake_cuda();

/// simulated_order.cpp: its types and CUDA's have the same names.
void set_order_from_environment();

}  // namespace xnorbench::cuda
