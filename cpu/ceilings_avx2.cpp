// Ceilings of 256-bit vectors. Compiled for AVX2: nothing here but the loops. FMA and AVX-VNNI are asked for before
// their loops run.
#include <immintrin.h>

#include "cpu/ceiling_loops.h"

namespace xnorbench {
namespace {

struct Avx2 {
  using Register = __m256i;
  using State = __m256i;
  static constexpr int chains = 12;  // of sixteen registers
  static constexpr int operations = 1;
};

struct MultiplyAdd {
  using Register = __m256;
  using State = __m256;
  static constexpr int chains = 12;
  static constexpr int operations = 1;
  static void run(State& sum, Register operand) { asm volatile("vfmadd231ps %1, %1, %0" : "+x"(sum) : "x"(operand)); }
};
struct DotProduct : Avx2 {
  static void run(State& sum, Register operand) {
    Register pairs;
    asm volatile("vpmaddubsw %2, %2, %1\n\tvpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0"
                 : "+x"(sum), "=&x"(pairs) : "x"(operand));
  }
};
struct DotProductVnni : Avx2 {
  static void run(State& sum, Register operand) { asm volatile("%{vex%} vpdpbusd %1, %1, %0" : "+x"(sum) : "x"(operand)); }
};
struct ByteShuffle : Avx2 {
  static void run(State& bytes, Register operand) { asm volatile("vpshufb %1, %0, %0" : "+x"(bytes) : "x"(operand)); }
};
struct ByteAdd : Avx2 {
  static void run(State& sum, Register operand) { asm volatile("vpaddb %1, %0, %0" : "+x"(sum) : "x"(operand)); }
};
struct Logic : Avx2 {
  static void run(State& bits, Register operand) { asm volatile("vpxor %1, %0, %0" : "+x"(bits) : "x"(operand)); }
};

/// The instructions of a step of the pair table (cpu/pair_table.h) for one vector of channels: three shuffles, four
/// additions, a shift.
struct PairTableMix : Avx2 {
  struct State {
    Register a, h;
  };
  static constexpr int chains = 6;
  static constexpr int operations = 8;
  static void run(State& counters, Register operand) {
    Register x, more;
    asm volatile(
        "vpshufb %[operand], %[operand], %[x]\n\tvpaddb %[operand], %[a], %[a]\n\t"
        "vpshufb %[operand], %[operand], %[more]\n\tvpaddb %[operand], %[h], %[h]\n\t"
        "vpshufb %[operand], %[operand], %[x]\n\tvpaddb %[operand], %[operand], %[more]\n\t"
        "vpsrlw $4, %[operand], %[x]\n\tvpaddb %[operand], %[operand], %[more]"
        : [a] "+x"(counters.a), [h] "+x"(counters.h), [x] "=&x"(x), [more] "=&x"(more)
        : [operand] "x"(operand));
  }
};

struct Load : Avx2 {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("vmovdqa %1, %0" : "=x"(loaded) : "m"(from));
  }
};

}  // namespace

const VectorLoops avx2_loops{
    .vector_bytes = sizeof(__m256i),
    .multiply_add = loop_of<MultiplyAdd>,
    .dot_product = loop_of<DotProduct>,
    .dot_product_vnni = loop_of<DotProductVnni>,
    .byte_shuffle = loop_of<ByteShuffle>,
    .byte_add = loop_of<ByteAdd>,
    .logic = loop_of<Logic>,
    .popcount = no_loop,
    .simd_mix = loop_of<PairTableMix>,
    .swar_mix = no_loop,
    .read = repeat_loads<Load>};

}  // namespace xnorbench
