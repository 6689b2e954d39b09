#include "cpu/host_clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace xnorbench {

double time_host_cycles_hz(int cycles) {
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t chain = 0;
  std::uint64_t step = 1;
  // A register whose value the compiler does not know: some cores fold additions of constants and
  // run several a cycle.
  asm volatile("" : "+r"(step));
  for (int i = 0; i < cycles; i += 8) {
    // The empty statements keep the compiler from adding 8 at once.
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      chain += step;
      asm volatile("" : "+r"(chain));
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return cycles / seconds.count();
}

double measure_host_clock_hz() {
  double fastest = 0.0;
  for (int run = 0; run < 4; ++run) fastest = std::max(fastest, time_host_cycles_hz(1 << 20));
  return fastest;
}

}  // namespace xnorbench
