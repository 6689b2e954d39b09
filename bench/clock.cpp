#include "bench/clock.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace xnorbench {

double measure_clock_hz() {
  constexpr int additions = 1 << 20;
  double fastest = 0.0;
  for (int run = 0; run < 4; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t chain = 0;
    std::uint64_t step = 1;
    // In a register and unknown: some cores fold additions of constants and run several a cycle.
    asm volatile("" : "+r"(step));
    for (int i = 0; i < additions; i += 8) {
      // The empty statements keep the compiler from adding 8 at once.
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) {
        chain += step;
        asm volatile("" : "+r"(chain));
      }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    fastest = std::max(fastest, additions / seconds.count());
  }
  return fastest;
}

double warm_up_clock() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  double fastest = 0.0;
  while (std::chrono::steady_clock::now() < end) fastest = std::max(fastest, measure_clock_hz());
  return fastest;
}

CacheEvictor::CacheEvictor(std::int64_t last_level_bytes) {
  constexpr std::int64_t unknown_size = std::int64_t{64} << 20;
  const std::int64_t bytes = 2 * (last_level_bytes > 0 ? last_level_bytes : unknown_size);
  buffer_.resize(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
}

void CacheEvictor::evict() {
  constexpr std::size_t words_per_line = 8;
  for (std::size_t i = 0; i < buffer_.size(); i += words_per_line) ++buffer_[i];
  asm volatile("" : : "r"(buffer_.data()) : "memory");
}

Pin::Pin(int threads) {
  cpu_set_t allowed;
  if (threads != 1 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE && !pinned_; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  before_.resize(sizeof allowed);
  std::memcpy(before_.data(), &allowed, sizeof allowed);
}

Pin::~Pin() {
  if (!pinned_) return;
  cpu_set_t allowed;
  std::memcpy(&allowed, before_.data(), sizeof allowed);
  sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace xnorbench
