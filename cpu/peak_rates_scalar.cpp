// Peak rates of general registers. The POPCNT loop is in every x86-64 build, as assembly needs no
// compiler flag. It runs only on processors that have POPCNT.
#include "cpu/peak_rate_loops.h"

namespace xnorbench {
namespace {

struct Word {
  using Register = std::uint64_t;
};
using Scalar = OneRegister<Word>;

struct IntegerAdd : Scalar {
#if defined(__x86_64__)
  // Adds a register: some cores fold additions of constants and run more a cycle.
  static void run(State& sum, Register operand) {
    asm volatile("add %1, %0" : "+r"(sum) : "r"(operand));
  }
#else
  static void run(State& sum, Register) {
    sum += 1;
    asm volatile("" : "+r"(sum));  // not ten at once
  }
#endif
};

#if defined(__x86_64__)
struct Popcnt : Scalar {
  static void run(State& word, Register) { asm volatile("popcnt %0, %0" : "+r"(word)); }
};
constexpr PeakRateLoop popcnt = loop_of<Popcnt>;
#else
constexpr PeakRateLoop popcnt{};
#endif

}  // namespace

const PeakRateLoop integer_loop = loop_of<IntegerAdd>;
const PeakRateLoop popcnt_loop = popcnt;

}  // namespace xnorbench
