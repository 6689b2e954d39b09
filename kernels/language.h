// The language of the kernels, for every .cu file. nvcc compiles it for the device, a C++ compiler
// for the host. There kernels/simt runs every CUDA thread on a stack of its own, so that kernels
// are tested without a device and under the sanitizers. C++17, CUDA 11.4 and later.
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

/// Declares `name` as an array in shared memory, aligned to at least 16 bytes. Its extents must be
/// given: a single value is [1].
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

/// kernel<<<grid, block, 0, stream>>>(arguments...). With nvcc the caller asks for errors
/// (cudaGetLastError). On the host the kernel has run when this returns, or simt::Error is thrown.
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
