// The steps whose assembly is the same for 256 and 512 bits. (`v` is any vector register that the
// instruction set has.) All is in an unnamed namespace, as in peak_rate_loops.h, because this file
// is compiled for both.
#pragma once

#include <immintrin.h>

#include "cpu/peak_rate_loops.h"

namespace xnorbench {
namespace {

template <typename Floats>
struct MultiplyAdd : OneRegister<Floats> {
  using Register = typename Floats::Register;
  static void run(Register& sum, Register operand) {
    asm volatile("vfmadd231ps %1, %1, %0" : "+v"(sum) : "v"(operand));
  }
};

template <typename Bits>
struct DotProduct : OneRegister<Bits> {
  using Register = typename Bits::Register;
  static void run(Register& sum, Register operand) {
    Register pairs;
    asm volatile("vpmaddubsw %2, %2, %1\n\tvpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0"
                 : "+v"(sum), "=&v"(pairs)
                 : "v"(operand));
  }
};

template <typename Bits>
struct ByteShuffle : OneRegister<Bits> {
  using Register = typename Bits::Register;
  static void run(Register& bytes, Register operand) {
    asm volatile("vpshufb %1, %0, %0" : "+v"(bytes) : "v"(operand));
  }
};

template <typename Bits>
struct ByteAdd : OneRegister<Bits> {
  using Register = typename Bits::Register;
  static void run(Register& sum, Register operand) {
    asm volatile("vpaddb %1, %0, %0" : "+v"(sum) : "v"(operand));
  }
};

template <typename Bits>
struct PairTableMix : PairTableCounters<Bits> {
  using Register = typename Bits::Register;
  static void run(typename PairTableCounters<Bits>::State& counters, Register operand) {
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

}  // namespace
}  // namespace xnorbench
