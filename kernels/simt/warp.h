// The collectives of a warp: votes, shuffles, __syncwarp. The rules are the strictest of all
// devices. All lanes that the mask names meet in the same call at the same line, with the same
// mask, and none has exited. Votes and shuffles order no memory accesses; __syncwarp does.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/simt/place.h"

namespace xnorbench::simt {

inline constexpr unsigned full_mask = 0xffffffffU;

/// The inputs of all lanes to a collective, and the places of their results; null for lanes that
/// the mask does not name.
struct WarpExchange {
  unsigned mask;
  const void* input[32];
  void* output[32];
};

/// Waits for all lanes in `mask`. Then `exchange` runs once, and every lane goes on. Votes and
/// shuffles are made of it. So is the host's side of an instruction that a kernel has as inline
/// PTX, such as a product on tensor cores.
void collective(const char* name, unsigned mask, const void* input, void* output,
                void (*exchange)(const WarpExchange&), Place place = Place::here());

enum class Shuffle { from_lane, up, down, across };
std::uint64_t shuffle(Shuffle kind, unsigned mask, std::uint64_t bits, int argument, int width,
                      Place place);

template <typename T>
T shuffle_value(Shuffle kind, unsigned mask, T value, int argument, int width, Place place) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) >= 4 && sizeof(T) <= 8,
                "CUDA shuffles 4 and 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = shuffle(kind, mask, bits, argument, width, place);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace xnorbench::simt

/// The lanes in the mask meet. Afterwards all of them see what any wrote before.
void __syncwarp(unsigned mask = xnorbench::simt::full_mask,
                xnorbench::simt::Place place = xnorbench::simt::Place::here());

unsigned __ballot_sync(unsigned mask, int predicate,
                       xnorbench::simt::Place place = xnorbench::simt::Place::here());
int __any_sync(unsigned mask, int predicate,
               xnorbench::simt::Place place = xnorbench::simt::Place::here());
int __all_sync(unsigned mask, int predicate,
               xnorbench::simt::Place place = xnorbench::simt::Place::here());

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              xnorbench::simt::Place place = xnorbench::simt::Place::here()) {
  return shuffle_value(xnorbench::simt::Shuffle::from_lane, mask, value, lane, width, place);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 xnorbench::simt::Place place = xnorbench::simt::Place::here()) {
  return shuffle_value(xnorbench::simt::Shuffle::up, mask, value, static_cast<int>(delta), width,
                       place);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   xnorbench::simt::Place place = xnorbench::simt::Place::here()) {
  return shuffle_value(xnorbench::simt::Shuffle::down, mask, value, static_cast<int>(delta), width,
                       place);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                  xnorbench::simt::Place place = xnorbench::simt::Place::here()) {
  return shuffle_value(xnorbench::simt::Shuffle::across, mask, value, lane_mask, width, place);
}
