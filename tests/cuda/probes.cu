// Kernels for test_cubin.py: each has, by design, a known number of some instruction.
#include <cstdint>

__global__ void eight_popc(const uint32_t* in, uint32_t* out) {
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += __popc(in[threadIdx.x + 32 * i]) << (2 * i);
  out[threadIdx.x] = sum;
}

__global__ void rounded_twice(float* x, float a, float b) {
  x[threadIdx.x] = x[threadIdx.x] * a + b;
}
__global__ void rounded_once(float* x, float a, float b) {
  x[threadIdx.x] = fmaf(x[threadIdx.x], a, b);
}
__global__ void rounded_once_double(double* x, double a, double b) {
  x[threadIdx.x] = fma(x[threadIdx.x], a, b);
}
__global__ void divides(float* x, float a) { x[threadIdx.x] /= a; }

__device__ __noinline__ uint32_t not_inlined(uint32_t x, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++) x = x * x + steps;
  return x;
}
__global__ void calls(uint32_t* x) {
  x[threadIdx.x] = not_inlined(x[threadIdx.x], x[0]) + not_inlined(x[1], x[2]);
}

// 64 values alive at once: spills where -maxrregcount allows fewer registers.
__global__ void many_registers(const int* in, int* out) {
  int values[64];
#pragma unroll
  for (int i = 0; i < 64; i++) values[i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 64; i++) sum = (sum ^ values[63 - i]) + values[i] * values[(i * 7) & 63];
  out[threadIdx.x] = sum;
}

// An index known only at run time puts the array into local memory, without any spill.
__global__ void local_array(const int* in, int* out) {
  int values[32] = {};
  for (int i = 0; i < 64; i++) values[in[i] & 31] += in[i + threadIdx.x];
  out[threadIdx.x] = values[in[threadIdx.x] & 31];
}

__global__ void binary_mma_xor(const uint32_t* in, uint32_t* out) {
  uint32_t c0 = 0, c1 = 0;
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1},{%2},{%3},{%0,%1};"
               : "+r"(c0), "+r"(c1)
               : "r"(in[threadIdx.x]), "r"(in[threadIdx.x + 32]));
  out[threadIdx.x] = c0 + c1;
}

__global__ void binary_mma_and(const uint32_t* in, uint32_t* out) {
  uint32_t c0 = 0, c1 = 0;
#if __CUDA_ARCH__ >= 800  // below it is not available
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1},{%2},{%3},{%0,%1};"
               : "+r"(c0), "+r"(c1)
               : "r"(in[threadIdx.x]), "r"(in[threadIdx.x + 32]));
#endif
  out[threadIdx.x] = c0 + c1;
}

// An inner loop as that of the real kernel: own x own sums, 4 POPC each in a step, with one LOP3 or
// (masked) two.
template <int own, bool masked>
__global__ void xnor_convolution(const uint4* left, const uint4* right, int* sums, int steps,
                                 uint2 mask) {
  auto count = [&](unsigned a, unsigned b) {
    const unsigned differences = a ^ b;
    return __popc(masked ? (differences & mask.x) ^ (a | mask.y) : differences);
  };
  int counts[own][own] = {};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    uint4 a[own], b[own];
    for (int i = 0; i < own; ++i) a[i] = left[(step * own + i) * 32 + threadIdx.x];
    for (int j = 0; j < own; ++j) b[j] = right[(step * own + j) * 32 + threadIdx.x];
    for (int i = 0; i < own; ++i)
      for (int j = 0; j < own; ++j)
        counts[i][j] += count(a[i].x, b[j].x) + count(a[i].y, b[j].y) + count(a[i].z, b[j].z) +
                        count(a[i].w, b[j].w);
  }
  for (int i = 0; i < own; ++i)
    for (int j = 0; j < own; ++j) sums[(i * own + j) * 32 + threadIdx.x] = counts[i][j];
}
template __global__ void xnor_convolution<4, false>(const uint4*, const uint4*, int*, int, uint2);
template __global__ void xnor_convolution<2, false>(const uint4*, const uint4*, int*, int, uint2);
template __global__ void xnor_convolution<4, true>(const uint4*, const uint4*, int*, int, uint2);
