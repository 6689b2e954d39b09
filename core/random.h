// Random numbers that are the same with every compiler and library: the standard fixes its engines
// but not its distributions.
#pragma once

#include <cstdint>
#include <random>

namespace xnorbench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t next() { return engine_(); }
  /// 0 .. count - 1. The bias of the remainder does not matter for test data.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count));
  }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  /// [low, high), 24 random bits.
  float uniform(float low, float high) {
    const float unit = static_cast<float>(next() >> 40) * (1.0F / 16777216.0F);
    const float offset = unit * (high - low);
    return low + offset;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace xnorbench
