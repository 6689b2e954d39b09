// Peak rates of 256-bit vectors. Compiled for AVX2: nothing here but the loops. Those of FMA and
// AVX-VNNI run only on processors that have these extensions.
#include "cpu/peak_rates_avx.h"

namespace xnorbench {
namespace {

struct Bits {
  using Register = __m256i;
};
struct Floats {
  using Register = __m256;
};

struct DotProductVnni : OneRegister<Bits> {
  static void run(Register& sum, Register operand) {
    asm volatile("%{vex%} vpdpbusd %1, %1, %0" : "+v"(sum) : "v"(operand));
  }
};
struct Logic : OneRegister<Bits> {
  static void run(Register& bits, Register operand) {
    asm volatile("vpxor %1, %0, %0" : "+v"(bits) : "v"(operand));
  }
};
struct Load : OneRegister<Bits> {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("vmovdqa %1, %0" : "=v"(loaded) : "m"(from));
  }
};

}  // namespace

const VectorLoops avx2_loops{.vector_bytes = sizeof(Bits::Register),
                             .multiply_add = loop_of<MultiplyAdd<Floats>>,
                             .multiply_add_needs = "fma",
                             .dot_product = loop_of<DotProduct<Bits>>,
                             .dot_product_vnni = loop_of<DotProductVnni>,
                             .vnni = "avxvnni",
                             .byte_shuffle = loop_of<ByteShuffle<Bits>>,
                             .byte_add = loop_of<ByteAdd<Bits>>,
                             .logic = loop_of<Logic>,
                             .simd_mix = loop_of<PairTableMix<Bits>>,
                             .read = repeat_loads<Load>};

}  // namespace xnorbench
