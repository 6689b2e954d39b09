// The loops whose speed is a peak rate. Each repeats one kind of instruction, or one kernel's mix
// of them.
//
// The files peak_rates_<isa>.cpp bring the instructions as inline assembly, which no compiler
// folds, reorders or replaces. Several chains that do not depend on each other hide the latency and
// leave the throughput. In a mix, no instruction waits for another one of its step. A turn of the
// loop is about two hundred instructions, so that counting turns does not show. Registers begin as
// zeros, so that no number is denormal.
//
// Plain data, and templates in an unnamed namespace, because this file is included where code is
// compiled for instruction sets that the machine may not have.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xnorbench {

struct PeakRateLoop {
  void (*run)(std::int64_t turns) = nullptr;  ///< null: no such instruction
  std::int64_t operations = 0;                ///< of a turn
};

/// Fields as in VectorPeakRates. Loops that an instruction set does not have are left empty.
struct VectorLoops {
  std::int64_t vector_bytes = 0;
  PeakRateLoop multiply_add{};
  /// The extension (Machine::has) without which multiply_add must not run; null: none.
  const char* multiply_add_needs = nullptr;
  PeakRateLoop dot_product{};       ///< without VPDPBUSD
  PeakRateLoop dot_product_vnni{};  ///< with it; runs on machines that have `vnni`
  const char* vnni = nullptr;
  PeakRateLoop byte_shuffle{}, byte_add{}, logic{}, popcount{}, simd_mix{}, swar_mix{};
  /// Loads `bytes` (a multiple of read_multiple) from `data` (aligned to it) `passes` times.
  void (*read)(const std::byte* data, std::int64_t bytes, std::int64_t passes) = nullptr;
};

constexpr std::int64_t read_multiple = 1024;

extern const PeakRateLoop integer_loop, popcnt_loop;
/// avx2_loops and so on; `none_loops` is empty, for a set that has none.
extern const VectorLoops none_loops;
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) \
  extern const VectorLoops peak_rates##_loops;
#include "core/isas.def"
#undef XNORBENCH_ISA

namespace {

/// For a step that is one operation on one register: twelve chains, as there are at least sixteen
/// registers. (The argument is a kind and not the register's type because g++ warns of vectors'
/// attributes in template arguments.)
template <typename Kind>
struct OneRegister {
  using Register = typename Kind::Register;
  using State = Register;
  static constexpr int chains = 12;
  static constexpr int operations = 1;
};

/// For a step with the instructions of the pair table (cpu/pair_table.h) for one vector of
/// channels: three shuffles, four additions, a shift.
template <typename Kind>
struct PairTableCounters {
  using Register = typename Kind::Register;
  struct State {
    Register a, h;
  };
  static constexpr int chains = 6;
  static constexpr int operations = 8;
};

/// For a step with the instructions of cpu_xnor_swar on two words: XOR, three shifts, four ANDs,
/// four additions or subtractions.
template <typename Kind>
struct SwarCounters {
  using Register = typename Kind::Register;
  struct State {
    Register bits, part, counts;
  };
  static constexpr int chains = 4;
  static constexpr int operations = 12;
};

/// Steps of all chains in a turn.
template <typename Step>
constexpr int rounds = 192 / (Step::chains * Step::operations);

/// `Step` has a State, the number of such states that fit the registers (chains), and the number of
/// operations of one step.
template <typename Step>
void repeat_step(std::int64_t turns) {
  typename Step::State chains[Step::chains] = {};
  typename Step::Register operand = {};
  for (std::int64_t turn = 0; turn < turns; ++turn)
#pragma GCC unroll 16
    for (int round = 0; round < rounds<Step>; ++round)
#pragma GCC unroll 12
      for (auto& chain : chains) Step::run(chain, operand);
}

template <typename Step>
constexpr PeakRateLoop loop_of{repeat_step<Step>, rounds<Step>* Step::chains* Step::operations};

/// `Load` has a Register, and loads one.
template <typename Load>
void repeat_loads(const std::byte* data, std::int64_t bytes, std::int64_t passes) {
  using Register = typename Load::Register;
  constexpr std::int64_t registers =
      read_multiple / static_cast<std::int64_t>(sizeof(Register)) / 2;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto* const end = reinterpret_cast<const Register*>(data + bytes);
    for (const auto* p = reinterpret_cast<const Register*>(data); p < end; p += registers)
#pragma GCC unroll 32
      for (std::int64_t i = 0; i < registers; ++i) Load::run(p[i]);
  }
}

}  // namespace
}  // namespace xnorbench
