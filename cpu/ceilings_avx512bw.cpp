// Ceilings of 512-bit vectors. Compiled for AVX-512 F and BW: nothing here but the loops. VNNI is asked for before its
// loop runs.
#include <immintrin.h>

#include "cpu/ceiling_loops.h"

namespace xnorbench {
namespace {

struct Avx512 {
  using Register = __m512i;
  using State = __m512i;
  static constexpr int chains = 12;
  static constexpr int operations = 1;
};

struct MultiplyAdd {
  using Register = __m512;
  using State = __m512;
  static constexpr int chains = 12;
  static constexpr int operations = 1;
  static void run(State& sum, Register operand) { asm volatile("vfmadd231ps %1, %1, %0" : "+v"(sum) : "v"(operand)); }
};
struct DotProduct : Avx512 {
  static void run(State& sum, Register operand) {
    Register pairs;
    asm volatile("vpmaddubsw %2, %2, %1\n\tvpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0"
                 : "+v"(sum), "=&v"(pairs) : "v"(operand));
  }
};
struct DotProductVnni : Avx512 {
  static void run(State& sum, Register operand) { asm volatile("vpdpbusd %1, %1, %0" : "+v"(sum) : "v"(operand)); }
};
struct ByteShuffle : Avx512 {
  static void run(State& bytes, Register operand) { asm volatile("vpshufb %1, %0, %0" : "+v"(bytes) : "v"(operand)); }
};
struct ByteAdd : Avx512 {
  static void run(State& sum, Register operand) { asm volatile("vpaddb %1, %0, %0" : "+v"(sum) : "v"(operand)); }
};
struct Logic : Avx512 {
  static void run(State& bits, Register operand) { asm volatile("vpxord %1, %0, %0" : "+v"(bits) : "v"(operand)); }
};

/// The instructions of a step of the pair table (cpu/pair_table.h) for one vector of channels: three shuffles, four
/// additions, a shift.
struct PairTableMix : Avx512 {
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
        : [a] "+v"(counters.a), [h] "+v"(counters.h), [x] "=&v"(x), [more] "=&v"(more)
        : [operand] "v"(operand));
  }
};

struct Load : Avx512 {
  static void run(const Register& from) {
    Register loaded;
    asm volatile("vmovdqa64 %1, %0" : "=v"(loaded) : "m"(from));
  }
};

}  // namespace

const VectorLoops avx512bw_loops{
    .vector_bytes = sizeof(__m512i),
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
