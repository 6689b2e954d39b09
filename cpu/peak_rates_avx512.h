// The loops of 512-bit vectors that need no more than AVX-512 F and BW. All is in an unnamed
// namespace, as in peak_rate_loops.h.
#pragma once

#include "cpu/peak_rates_avx.h"

namespace xnorbench {
namespace {

struct Bits {
  using Register = __m512i;
};
struct Floats {
  using Register = __m512;
};

struct DotProductVnni : OneRegister<Bits> {
  static void run(Register& sum, Register operand) {
    asm volatile("vpdpbusd %1, %1, %0" : "+v"(sum) : "v"(operand));
  }
};
struct Logic : OneRegister<Bits> {
  static void run(Register& bits, Register operand) {
    asm volatile("vpxord %1, %0, %0" : "+v"(bits) : "v"(operand));
  }
};
struct Load : OneRegister<Bits> {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("vmovdqa64 %1, %0" : "=v"(loaded) : "m"(from));
  }
};

constexpr VectorLoops avx512_loops{.vector_bytes = sizeof(Bits::Register),
                                   .multiply_add = loop_of<MultiplyAdd<Floats>>,
                                   .dot_product = loop_of<DotProduct<Bits>>,
                                   .dot_product_vnni = loop_of<DotProductVnni>,
                                   .vnni = "avx512vnni",
                                   .byte_shuffle = loop_of<ByteShuffle<Bits>>,
                                   .byte_add = loop_of<ByteAdd<Bits>>,
                                   .logic = loop_of<Logic>,
                                   .simd_mix = loop_of<PairTableMix<Bits>>,
                                   .read = repeat_loads<Load>};

}  // namespace
}  // namespace xnorbench
