// The language of the kernels: the one header that a .cu file includes. nvcc compiles it for the
// device; a C++ compiler for the host, where kernels/simt runs every CUDA thread on a stack of its
// own, so that kernels are tested without a device and under the sanitizers. C++17, CUDA 11.4 and
// later.
//
//   __global__ void kernel(const uint4* source, int* sums) {
//     XNORBENCH_SHARED(uint4, tile, [64][5]);                     // static shared memory
//     ...
//   }
//   void enqueue(..., cudaStream_t stream) {
//     xnorbench::launch(kernel, dim3(blocks), dim3(threads), stream, source, sums);
//   }
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime.h>

/// Declares `name` as an array in shared memory, aligned to 16 bytes at least. The extents are
/// never left out: one value is [1].
#define XNORBENCH_SHARED(type, name, ...) __shared__ __align__(16) type name __VA_ARGS__
#else
#include "kernels/simt/simt.h"
#endif

namespace xnorbench {

/// T, where T is not to be deduced from the argument.
template <typename T>
struct LaunchArgument {
  using Type = T;
};

/// kernel<<<grid, block, 0, stream>>>(arguments...). nvcc: errors are the caller's to ask for
/// (cudaGetLastError). Host: has run when it returns; throws simt::Error.
template <typename... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
            typename LaunchArgument<Parameters>::Type... arguments) {
#if defined(__CUDACC__)
  kernel<<<grid, block, 0, stream>>>(arguments...);
#else
  static_cast<void>(stream);
  simt::run(grid, block, [&] { kernel(arguments...); });
#endif
}

}  // namespace xnorbench
