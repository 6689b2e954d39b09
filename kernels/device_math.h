// Arithmetic as docs/method.md defines it, in device code: every product and every sum is rounded
// on its own.
#pragma once

#include "kernels/arguments.h"
#include "kernels/language.h"

namespace xnorbench::cuda {

/// core/sign.h: NaN is negative under both rules.
__device__ inline bool is_negative(float x, bool zero_is_plus) {
  return zero_is_plus ? !(x >= 0.0F) : !(x > 0.0F);
}

__device__ inline float apply_affine(float x, const AffineArguments& affine, int channel) {
  return affine.scale ? __fadd_rn(__fmul_rn(x, affine.scale[channel]), affine.shift[channel]) : x;
}

/// Value of a binary layer, core/batch_norm.h.
__device__ inline float layer_value(float alpha, int sum, float bias) {
  return __fadd_rn(__fmul_rn(alpha, static_cast<float>(sum)), bias);
}

/// Index of this thread among all of a one-dimensional grid.
__device__ inline int global_thread() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

/// Index of this thread's warp among all. There may be more threads than an int counts.
__device__ inline int global_warp() {
  return static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

/// The beginning of the window of output pixel `pixel` (N*H*W order). `top` and `left` are a row
/// and column of the input, which padding may make negative. `image_row` is the first row of the
/// image among the rows of the batch.
struct WindowPlace {
  int top, left, image_row;

  __device__ WindowPlace(const WindowArguments& w, int pixel) {
    const int row = pixel / w.out_width;
    left = pixel % w.out_width * w.stride_width - w.pad_width;
    top = row % w.out_height * w.stride_height - w.pad_height;
    image_row = row / w.out_height * w.in_height;
  }
};

/// The channels in one word of packed signs: of pixel `pixel` those from `first` on, at most 64, up
/// to the end `end` of their group.
struct PackedWord {
  int pixel, first, end;

  __device__ PackedWord(const PackedArguments& packed_input, int word) {
    pixel = word / packed_input.words_per_pixel;
    const int of_pixel = word % packed_input.words_per_pixel;
    const int group = of_pixel / packed_input.words_per_group;
    first = group * packed_input.group_channels + of_pixel % packed_input.words_per_group * 64;
    end = (group + 1) * packed_input.group_channels;
  }
};

/// Blocks of `threads` that cover `count`.
inline unsigned blocks_for(long long count, int threads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace xnorbench::cuda
