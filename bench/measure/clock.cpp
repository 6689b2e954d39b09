#include "bench/measure/clock.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace xnorbench {

double warm_up_clock(Device& device) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  double fastest = 0.0;
  while (std::chrono::steady_clock::now() < end)
    fastest = std::max(fastest, device.measure_clock_hz());
  return fastest;
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
