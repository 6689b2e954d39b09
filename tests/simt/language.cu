// Every word of the kernels' language: compiled by nvcc and by the host compiler, never run
// (test_language.py).
#include "kernels/language.h"
#include "tests/simt/kernels.h"

namespace xnorbench::simt_test {

__constant__ int table[4] = {1, 2, 3, 4};

__device__ __forceinline__ int bits(unsigned a, unsigned b) {
  int sum = __popc(a) + __popcll(1ULL << 40) + __clz(static_cast<int>(a)) + __clzll(1LL) +
            __ffs(static_cast<int>(b)) + __ffsll(2LL);
  a = __brev(a) ^ __umulhi(a, b) ^ __funnelshift_l(a, b, 3) ^ __funnelshift_r(a, b, 3);
  a ^= __funnelshift_lc(a, b, 33) ^ __funnelshift_rc(a, b, 33);
  return sum + static_cast<int>(a);
}

__device__ float floats(float a, int b) {
  return __fadd_rn(__fmul_rn(a, __int2float_rn(b)),
                   __fmaf_rn(a, a, static_cast<float>(__float2int_rn(a))));
}

__device__ int extremes(int a, unsigned b, long long c, unsigned long long d, float e) {
  return min(a, 1) + static_cast<int>(max(b, 1U)) + static_cast<int>(min(c, 1LL)) +
         static_cast<int>(max(d, 1ULL)) + static_cast<int>(min(e, 1.0F)) +
         static_cast<int>(max(1L, 2L)) + static_cast<int>(min(1UL, 2UL));
}

__device__ int vectors() {
  const int2 a = make_int2(1, 2);
  const int4 b = make_int4(1, 2, 3, 4);
  const uint2 c = make_uint2(1, 2);
  const uint3 d = make_uint3(1, 2, 3);
  const uint4 e = make_uint4(1, 2, 3, 4);
  const float2 f = make_float2(1, 2);
  const float4 g = make_float4(1, 2, 3, 4);
  const ulonglong2 h = make_ulonglong2(1, 2);
  static_assert(sizeof a == 8 && alignof(int2) == 8 && sizeof b == 16 && alignof(int4) == 16,
                "as in CUDA");
  static_assert(sizeof c == 8 && alignof(uint2) == 8 && sizeof d == 12 && alignof(uint3) == 4,
                "as in CUDA");
  static_assert(sizeof e == 16 && alignof(uint4) == 16 && sizeof f == 8 && alignof(float2) == 8,
                "as in CUDA");
  static_assert(
      sizeof g == 16 && alignof(float4) == 16 && sizeof h == 16 && alignof(ulonglong2) == 16,
      "as in CUDA");
  return a.y + b.w + static_cast<int>(c.y + d.z + e.w) + static_cast<int>(f.y + g.w) +
         static_cast<int>(h.y);
}

template <typename T>
__device__ T shuffles(T value) {
  value += __shfl_sync(0xffffffffU, value, 1) + __shfl_up_sync(0xffffffffU, value, 1U);
  value += __shfl_down_sync(0xffffffffU, value, 1U, 16) + __shfl_xor_sync(0xffffffffU, value, 1, 8);
  return value;
}

__global__ void __launch_bounds__(128) all_words(const uint4* source, int* sums, unsigned* counts,
                                                 unsigned long long* wides, float* means) {
  XNORBENCH_SHARED(uint4, tile, [2][64][5]);
  XNORBENCH_SHARED(int, total, [1]);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  tile[thread / 64 % 2][thread % 64][0] =
      __ldg(source + thread + blockIdx.x * gridDim.x + blockIdx.y + blockIdx.z);
  total[0] = 0;
  __syncthreads();
  const uint4 word = tile[0][thread % 64][0];
  int sum = bits(word.x, word.y) + extremes(1, 2U, 3LL, 4ULL, 5.0F) + vectors() +
            table[thread % 4] + warpSize;
  sum += static_cast<int>(__ballot_sync(0xffffffffU, sum > 0)) + __any_sync(0xffffffffU, sum) +
         __all_sync(0xffffffffU, sum);
  __syncwarp();
  __syncwarp(0xffffffffU);
  sum += shuffles(1) + static_cast<int>(shuffles(1U)) + static_cast<int>(shuffles(1.0F)) +
         static_cast<int>(shuffles(1LL)) + static_cast<int>(shuffles(1ULL));
  atomicAdd(sums, sum + total[0]);
  atomicAdd(counts, 1U);
  atomicAdd(wides, static_cast<unsigned long long>(clock64()));
  atomicAdd(means, floats(1.0F, sum));
}

/// What host code calls: the same symbol in both builds.
void enqueue_all_words(const uint4* source, int* sums, cudaStream_t stream) {
  launch(all_words, dim3(2, 3), dim3(32, 2, 2), stream, source, sums, nullptr, nullptr, nullptr);
}

void enqueue_test_kernels(const float* x, unsigned* words, int* sums, unsigned* block_sum,
                          cudaStream_t stream) {
  launch(pack_signs<>, dim3(1), dim3(128), stream, x, words, 1, 100);
  launch(xnor_product<8, 4>, dim3(1), dim3(8, 8), stream, words, words, sums, 8, 8, 100);
  launch(row_sums<>, dim3(1), dim3(128), stream, sums, sums, 1, 100);
  launch(block_sums<>, dim3(1), dim3(block_sums_threads), stream, words, block_sum, 100);
}

}  // namespace xnorbench::simt_test
