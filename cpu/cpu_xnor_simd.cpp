// cpu_xnor_simd: XOR and popcount on vectors, by the kernel of the instruction set that this machine has.
#include "cpu/bit_convolution.h"
#include "cpu/simd_kernels.h"

namespace xnorbench {
namespace {

#if defined(__x86_64__)
const BitKernel& kernel() { return avx2_kernel; }
#else
// Machine::has("avx2") is false here: never run.
const BitKernel& kernel() {
  static const BitKernel none{"", 1, 1, nullptr};
  return none;
}
#endif

}  // namespace

const Implementation& cpu_xnor_simd() {
  static const BitImplementation implementation(
      {"cpu_xnor_simd", "cpu", "xnor", "XOR and byte-shuffle popcount on 256-bit vectors, register-blocked"}, kernel(), "avx2");
  return implementation;
}

}  // namespace xnorbench
