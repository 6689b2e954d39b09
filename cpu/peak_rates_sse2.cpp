// Peak rates of the vectors of every x86-64 processor. SSE2 has no byte shuffle, and so no kernel
// of cpu_xnor_simd.
#include <emmintrin.h>

#include "cpu/peak_rate_loops.h"

namespace xnorbench {
namespace {

struct Bits {
  using Register = __m128i;
};
struct Floats {
  using Register = __m128;
};
using Sse2 = OneRegister<Bits>;

struct MultiplyAdd : OneRegister<Floats> {
  static constexpr int chains = 10;  // the product is one more
  static void run(State& sum, Register operand) {
    Register product;
    asm volatile("movaps %2, %1\n\tmulps %2, %1\n\taddps %1, %0"
                 : "+x"(sum), "=&x"(product)
                 : "x"(operand));
  }
};
struct ByteAdd : Sse2 {
  static void run(State& sum, Register operand) {
    asm volatile("paddb %1, %0" : "+x"(sum) : "x"(operand));
  }
};
struct Logic : Sse2 {
  static void run(State& bits, Register operand) {
    asm volatile("pxor %1, %0" : "+x"(bits) : "x"(operand));
  }
};

/// As compilers use them, without the copies between, which cost no execution unit.
struct SwarMix : SwarCounters<Bits> {
  static void run(State& state, Register operand) {
    asm volatile(
        "pxor %3, %0\n\tpsrlq $1, %1\n\tpaddq %3, %2\n\tpand %3, %0\n\tpsrlq $2, %1\n\tpsubq %3, "
        "%2\n\t"
        "pand %3, %0\n\tpsrlq $4, %1\n\tpaddq %3, %2\n\tpand %3, %0\n\tpand %3, %1\n\tpaddq %3, %2"
        : "+x"(state.bits), "+x"(state.part), "+x"(state.counts)
        : "x"(operand));
  }
};

struct Load : Sse2 {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("movdqa %1, %0" : "=x"(loaded) : "m"(from));
  }
};

}  // namespace

const VectorLoops sse2_loops{.vector_bytes = sizeof(__m128i),
                             .multiply_add = loop_of<MultiplyAdd>,
                             .byte_add = loop_of<ByteAdd>,
                             .logic = loop_of<Logic>,
                             .swar_mix = loop_of<SwarMix>,
                             .read = repeat_loads<Load>};

}  // namespace xnorbench
