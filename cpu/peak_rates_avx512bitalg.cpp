// Peak rates of 512-bit vectors with VPOPCNTW. Compiled for AVX-512 F, BW and BITALG: nothing here
// but the loops.
#include "cpu/peak_rates_avx512.h"

namespace xnorbench {
namespace {

struct Popcount : OneRegister<Bits> {
  static void run(State& words, Register) { asm volatile("vpopcntw %0, %0" : "+v"(words)); }
};

/// The instructions of two units of cpu/kernel_avx512bitalg.cpp for one vector of channels: XOR,
/// sum, carry, popcount, addition. (An XOR of a register with itself would not run at all.)
struct CarrySaveMix : Bits {
  struct State {
    Register sum, carry, count;
  };
  static constexpr int chains = 6;
  static constexpr int operations = 5;
  static void run(State& state, Register operand) {
    Register x;
    asm volatile(
        "vpternlogd $0x96, %[operand], %[operand], %[sum]\n\tvpxord %[operand], %[count], %[x]\n\t"
        "vpternlogd $0xD4, %[operand], %[operand], %[carry]\n\tvpopcntw %[operand], %[x]\n\t"
        "vpaddw %[operand], %[count], %[count]"
        : [sum] "+v"(state.sum), [carry] "+v"(state.carry), [count] "+v"(state.count), [x] "=&v"(x)
        : [operand] "v"(operand));
  }
};

constexpr VectorLoops with_popcount() {
  VectorLoops loops = avx512_loops;
  loops.popcount = loop_of<Popcount>;
  loops.simd_mix = loop_of<CarrySaveMix>;
  return loops;
}

}  // namespace

const VectorLoops avx512bitalg_loops = with_popcount();

}  // namespace xnorbench
