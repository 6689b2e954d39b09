// Qualifiers, the thread's place in the grid, the block's barrier and shared memory.
#pragma once

#include <cstddef>

#include "kernels/simt/place.h"
#include "kernels/simt/types.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

namespace xnorbench::simt {

/// An array that XNORBENCH_SHARED declares. The address of this description identifies it.
struct SharedArray {
  const char* name;
  Place place;
  std::size_t bytes;
};

/// The array's memory in the block of the calling thread.
void* shared_memory(const SharedArray& array);

/// The place of the running thread. The scheduler writes it before a thread goes on.
struct Position {
  uint3 thread_index;
  uint3 block_index;
  dim3 block_size;
  dim3 grid_size;
};
extern Position position;

}  // namespace xnorbench::simt

inline const uint3& threadIdx = xnorbench::simt::position.thread_index;
inline const uint3& blockIdx = xnorbench::simt::position.block_index;
inline const dim3& blockDim = xnorbench::simt::position.block_size;
inline const dim3& gridDim = xnorbench::simt::position.grid_size;
inline constexpr int warpSize = 32;

/// All threads of the block meet, at the same line. Afterwards all of them see what any wrote
/// before.
void __syncthreads(xnorbench::simt::Place place = xnorbench::simt::Place::here());

/// Declares `name` as an array in shared memory, aligned to at least 16 bytes. Its extents must be
/// given: a single value is [1].
#define XNORBENCH_SHARED(type, name, ...)                            \
  using name##_shared_type = type __VA_ARGS__;                       \
  static constexpr xnorbench::simt::SharedArray name##_shared_array{ \
      #name, {__FILE__, __LINE__}, sizeof(name##_shared_type)};      \
  name##_shared_type& name =                                         \
      *static_cast<name##_shared_type*>(xnorbench::simt::shared_memory(name##_shared_array))
