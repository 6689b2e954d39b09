// CUDA's functions of one thread, with CUDA's signatures: bits, exact float operations, minimum and
// maximum, atomic addition, the clock.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

// Bits.

inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }

inline unsigned __brev(unsigned value) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) {
    reversed = reversed << 1 | (value >> bit & 1U);
  }
  return reversed;
}

inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}

/// The upper word of high:low << shift mod 32.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (shift % 32)) >> 32);
}
/// The lower word of high:low >> shift mod 32.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift % 32));
}
/// The same with the shift clamped to 32.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Floats. They are never contracted on a device; here -ffp-contract=off must ensure that.

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
/// Rounded once.
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __int2float_rn(int value) { return static_cast<float>(value); }

/// To the nearest integer, ties to even. Values out of range are clamped. NaN is 0.
inline int __float2int_rn(float value) {
  constexpr float limit = 2147483648.0F;
  if (std::isnan(value)) {
    return 0;
  }
  if (value >= limit) {
    return std::numeric_limits<int>::max();
  }
  return value < -limit ? std::numeric_limits<int>::min() : static_cast<int>(std::nearbyint(value));
}

// Minimum and maximum. For floats, if one is NaN, the other one.

inline int min(int a, int b) { return b < a ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline long min(long a, long b) { return b < a ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline float min(float a, float b) { return std::fmin(a, b); }

inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long max(long a, long b) { return a < b ? b : a; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline float max(float a, float b) { return std::fmax(a, b); }

// Memory.

/// Loads a value that no thread writes during the kernel.
template <typename T>
T __ldg(const T* address) {
  return *address;
}

// Return the value before. Relaxed, as on a device: they order no other access.
inline int atomicAdd(int* address, int value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline unsigned atomicAdd(unsigned* address, unsigned value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline float atomicAdd(float* address, float value) {
  float before = 0;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  float after = before + value;
  while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
    after = before + value;
  }
  return before;
}

/// Grows with time; nanoseconds here, clocks of the multiprocessor on a device.
inline long long clock64() {
  return static_cast<long long>(std::chrono::steady_clock::now().time_since_epoch() /
                                std::chrono::nanoseconds(1));
}
