// The law of docs/method.md in device code: every product and every sum is rounded on its own.
#pragma once

#include "kernels/arguments.h"
#include "kernels/language.h"

namespace xnorbench::cuda {

/// core/sign.h: NaN is negative under both rules.
__device__ inline bool is_negative(float x, bool zero_is_plus) { return zero_is_plus ? !(x >= 0.0F) : !(x > 0.0F); }

__device__ inline float apply_affine(float x, const AffineArguments& affine, int channel) {
  return affine.scale ? __fadd_rn(__fmul_rn(x, affine.scale[channel]), affine.shift[channel]) : x;
}

/// Value of a binary layer, core/batch_norm.h.
__device__ inline float layer_value(float alpha, int sum, float bias) {
  return __fadd_rn(__fmul_rn(alpha, static_cast<float>(sum)), bias);
}

/// Index of this thread among all of a one-dimensional grid.
__device__ inline int global_thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// Index of this thread's warp among all; there may be more threads than an int counts.
__device__ inline int global_warp() {
  return static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

/// Blocks of `threads` that cover `count`.
inline unsigned blocks_for(long long count, int threads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace xnorbench::cuda
