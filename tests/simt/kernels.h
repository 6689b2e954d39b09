// Small kernels, each with faults that can be planted: compiled by nvcc too (test_language.py). A
// line that a sanitizer is to name is marked "fault: NAME", or how the name starts
// (test_faults.py).
#pragma once

#include <cstdint>

#include "kernels/language.h"

namespace xnorbench::simt_test {

enum class Fault {
  none,
  // pack_signs
  early_return,
  wrong_mask,
  full_mask_in_branch,
  global_overread,
  // xnor_product
  missing_barrier_after_load,
  missing_barrier_after_use,
  tile_guard,
  store_guard,
  shared_row,
  // row_sums
  missing_step,
  lane_not_in_mask,
  different_masks,
  // block_sums
  missing_syncwarp,
  vote_as_syncwarp,
  shared_overrun,
  barrier_in_branch,
};

/// Signs of x[rows][columns] as bits, 1 where x < 0, in words[rows][(columns + 31) / 32]; bits past
/// the columns are 0. One warp for one word.
template <Fault fault = Fault::none>
__global__ void pack_signs(const float* x, std::uint32_t* words, int rows, int columns) {
  const int row_words = (columns + 31) / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (warp >= rows * row_words) {
    return;  // whole warps only
  }
  const int row = warp / row_words;
  const int column = warp % row_words * 32 + lane;
  if (fault == Fault::early_return && column >= columns) {
    return;
  }
  bool negative = false;
  if (fault == Fault::global_overread) {
    negative = x[row * columns + column] < 0.0F && column < columns;  // fault: global_overread
  } else {
    negative = column < columns && x[row * columns + column] < 0.0F;
  }
  std::uint32_t word = 0;
  if (fault == Fault::full_mask_in_branch) {
    if (column < columns) {
      word = __ballot_sync(0xffffffffU, negative);
    }
  } else {
    word = __ballot_sync(fault == Fault::wrong_mask ? 0x7fffffffU : 0xffffffffU, negative);
  }
  if (lane == 0) {
    words[warp] = word;
  }
}

/// sums[m][n] = bits - 2 * popcount(a[m] xor b[n]) for packed a[rows][...] and b[columns][...]; a
/// block of tile x tile threads for as many sums.
template <int tile, int tile_words, Fault fault = Fault::none>
__global__ void __launch_bounds__(tile* tile)
    xnor_product(const std::uint32_t* a, const std::uint32_t* b, int* sums, int rows, int columns,
                 int bits) {
  XNORBENCH_SHARED(std::uint32_t, a_tile, [tile][tile_words + 1]);
  XNORBENCH_SHARED(std::uint32_t, b_tile, [tile][tile_words + 1]);
  const int words = (bits + 31) / 32;
  // Words that a row may be read up to.
  const int guard = fault == Fault::tile_guard ? words + 1 : words;
  // Words of a tile's row that are used. Not a constant when too many, or the compiler would see
  // it.
  const int used_words = fault == Fault::shared_row ? tile_words + min(bits, 2) : tile_words;
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int first_row = static_cast<int>(blockIdx.y) * tile;
  const int first_column = static_cast<int>(blockIdx.x) * tile;
  int popcount = 0;
  for (int first_word = 0; first_word < words; first_word += tile_words) {
    for (int i = x; i < tile_words; i += tile) {
      const int word = first_word + i;
      const int row = first_row + y;
      const int column = first_column + y;
      std::uint32_t of_a = 0;
      std::uint32_t of_b = 0;
      if (row < rows && word < guard) {
        of_a = a[row * words + word];  // fault: tile_guard
      }
      if (column < columns && word < guard) {
        of_b = b[column * words + word];  // fault: tile_guard
      }
      a_tile[y][i] = of_a;  // fault: missing_barrier
      b_tile[y][i] = of_b;  // fault: missing_barrier
    }
    if (fault != Fault::missing_barrier_after_load) {
      __syncthreads();
    }
    for (int i = 0; i < used_words; ++i) {
      const std::uint32_t different =
          a_tile[y][i] ^ b_tile[x][i];  // fault: shared_row missing_barrier
      popcount += __popc(different);
    }
    if (fault != Fault::missing_barrier_after_use) {
      __syncthreads();
    }
  }
  const int row = first_row + y;
  const int column = first_column + x;
  if (fault == Fault::store_guard || (row < rows && column < columns)) {
    sums[row * columns + column] = bits - 2 * popcount;  // fault: store_guard
  }
}

/// Sums of the rows of x[rows][columns], a warp for a row.
template <Fault fault = Fault::none>
__global__ void row_sums(const int* x, int* sums, int rows, int columns) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (row >= rows) {
    return;
  }
  int sum = 0;
  for (int column = lane; column < columns; column += 32) {
    sum += x[row * columns + column];
  }
  const unsigned half = lane < 16 ? 0x0000ffffU : 0xffff0000U;
  for (int distance = 16; distance > (fault == Fault::missing_step ? 1 : 0); distance /= 2) {
    unsigned mask = 0xffffffffU;
    if (fault == Fault::lane_not_in_mask) {
      mask = half;
    } else if (fault == Fault::different_masks && lane == 5) {
      mask = 0x7fffffffU;
    }
    sum += __shfl_xor_sync(mask, sum, distance);
  }
  if (lane == 0) {
    sums[row] = sum;
  }
}

inline constexpr int block_sums_threads = 128;

/// sums[b] = sum of the 128 elements of x[size] from 128 b on; the last steps are one warp's.
template <Fault fault = Fault::none>
__global__ void block_sums(const unsigned* x, unsigned* sums, int size) {
  XNORBENCH_SHARED(unsigned, partial, [block_sums_threads]);
  // As a pointer, so that the compiler's own check of the bound does not come first.
  unsigned* const element = partial;
  const int thread = static_cast<int>(threadIdx.x);
  const int index = static_cast<int>(blockIdx.x) * block_sums_threads + thread;
  const unsigned value = index < size ? x[index] : 0U;
  element[fault == Fault::shared_overrun ? thread + 1 : thread] = value;  // fault: shared_overrun
  if (fault != Fault::barrier_in_branch || thread < 64) {
    __syncthreads();
  }
  for (int distance = block_sums_threads / 2; distance >= 32; distance /= 2) {
    if (thread < distance) {
      partial[thread] += partial[thread + distance];
    }
    __syncthreads();
  }
  if (thread >= 32) {
    return;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const unsigned other = partial[thread + distance];  // fault: missing_syncwarp vote_as_syncwarp
    if (fault == Fault::vote_as_syncwarp) {
      __any_sync(0xffffffffU, 1);
    } else if (fault != Fault::missing_syncwarp) {
      __syncwarp();
    }
    partial[thread] += other;  // fault: missing_syncwarp vote_as_syncwarp
    if (fault == Fault::vote_as_syncwarp) {
      __any_sync(0xffffffffU, 1);
    } else if (fault != Fault::missing_syncwarp) {
      __syncwarp();
    }
  }
  if (thread == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

}  // namespace xnorbench::simt_test
