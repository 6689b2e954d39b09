// The core clock, cache eviction and pinning: what stands around a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xnorbench {

/// Core clock in Hz, from a chain of dependent additions of registers, one a cycle: the fastest of a few
/// short runs. About a millisecond.
double measure_clock_hz();

/// The same after keeping the core busy for a tenth of a second, so that it has left its idle clock.
double warm_up_clock();

/// Writes a buffer twice the size of the last-level cache, so that nothing timed next finds its data
/// there.
class CacheEvictor {
 public:
  explicit CacheEvictor(std::int64_t last_level_bytes);
  void evict();

 private:
  std::vector<std::uint64_t> buffer_;
};

/// Keeps this thread on the first CPU that it may use while the object lives; one thread moved between
/// two threads of a core is a different measurement. Does nothing for more than one thread.
class Pin {
 public:
  explicit Pin(int threads);
  ~Pin();
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

 private:
  bool pinned_ = false;
  std::vector<unsigned char> before_;
};

}  // namespace xnorbench
