// Peak rates of the 128-bit vectors of AArch64. The dot product of u8 by s8 is an extension (I8MM),
// which has no loop yet.
#include <arm_neon.h>

#include "cpu/peak_rate_loops.h"

namespace xnorbench {
namespace {

struct Bits {
  using Register = uint8x16_t;
};
struct Floats {
  using Register = float32x4_t;
};
using Neon = OneRegister<Bits>;

struct MultiplyAdd : OneRegister<Floats> {
  static void run(State& sum, Register operand) {
    asm volatile("fmla %0.4s, %1.4s, %1.4s" : "+w"(sum) : "w"(operand));
  }
};
struct ByteShuffle : Neon {
  static void run(State& bytes, Register operand) {
    asm volatile("tbl %0.16b, {%0.16b}, %1.16b" : "+w"(bytes) : "w"(operand));
  }
};
struct ByteAdd : Neon {
  static void run(State& sum, Register operand) {
    asm volatile("add %0.16b, %0.16b, %1.16b" : "+w"(sum) : "w"(operand));
  }
};
struct Logic : Neon {
  static void run(State& bits, Register operand) {
    asm volatile("eor %0.16b, %0.16b, %1.16b" : "+w"(bits) : "w"(operand));
  }
};
struct Popcount : Neon {
  static void run(State& bytes, Register) { asm volatile("cnt %0.16b, %0.16b" : "+w"(bytes)); }
};

struct PairTableMix : PairTableCounters<Bits> {
  static void run(State& counters, Register operand) {
    Register x, more;
    asm volatile(
        "tbl %[x].16b, {%[operand].16b}, %[operand].16b\n\tadd %[a].16b, %[a].16b, "
        "%[operand].16b\n\t"
        "tbl %[more].16b, {%[operand].16b}, %[operand].16b\n\tadd %[h].16b, %[h].16b, "
        "%[operand].16b\n\t"
        "tbl %[x].16b, {%[operand].16b}, %[operand].16b\n\tadd %[more].16b, %[operand].16b, "
        "%[operand].16b\n\t"
        "ushr %[x].8h, %[operand].8h, #4\n\tadd %[more].16b, %[operand].16b, %[operand].16b"
        : [a] "+w"(counters.a), [h] "+w"(counters.h), [x] "=&w"(x), [more] "=&w"(more)
        : [operand] "w"(operand));
  }
};

struct SwarMix : SwarCounters<Bits> {
  static void run(State& state, Register operand) {
    asm volatile(
        "eor %0.16b, %0.16b, %3.16b\n\tushr %1.2d, %1.2d, #1\n\tadd %2.2d, %2.2d, %3.2d\n\t"
        "and %0.16b, %0.16b, %3.16b\n\tushr %1.2d, %1.2d, #2\n\tsub %2.2d, %2.2d, %3.2d\n\t"
        "and %0.16b, %0.16b, %3.16b\n\tushr %1.2d, %1.2d, #4\n\tadd %2.2d, %2.2d, %3.2d\n\t"
        "and %0.16b, %0.16b, %3.16b\n\tand %1.16b, %1.16b, %3.16b\n\tadd %2.2d, %2.2d, %3.2d"
        : "+w"(state.bits), "+w"(state.part), "+w"(state.counts)
        : "w"(operand));
  }
};

struct Load : Neon {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("ldr %q0, %1" : "=w"(loaded) : "m"(from));
  }
};

}  // namespace

const VectorLoops neon_loops{.vector_bytes = sizeof(uint8x16_t),
                             .multiply_add = loop_of<MultiplyAdd>,
                             .byte_shuffle = loop_of<ByteShuffle>,
                             .byte_add = loop_of<ByteAdd>,
                             .logic = loop_of<Logic>,
                             .popcount = loop_of<Popcount>,
                             .simd_mix = loop_of<PairTableMix>,
                             .swar_mix = loop_of<SwarMix>,
                             .read = repeat_loads<Load>};

}  // namespace xnorbench
