// Measures the core clock. The multiprocessor counts cycles here; the caller divides them by the
// time between events.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

__global__ void count_cycles(long long cycles, long long* elapsed) {
  const long long begin = clock64();
  long long now = begin;
  while (now - begin < cycles) now = clock64();
  *elapsed = now - begin;
}

}  // namespace

void launch_clock(long long cycles, long long* elapsed, Stream stream) {
  launch(count_cycles, dim3(1), dim3(1), stream, cycles, elapsed);
  check_launch("count_cycles");
}

}  // namespace xnorbench::cuda
