// Measures the core clock.
#pragma once

namespace xnorbench {

/// Core clock in Hz, from one chain of `cycles` dependent additions (a multiple of 8).
double time_host_cycles_hz(int cycles);

/// Core clock in Hz, from a chain of dependent additions of registers, one a cycle: the fastest of
/// a few short runs. About a millisecond.
double measure_host_clock_hz();

}  // namespace xnorbench
