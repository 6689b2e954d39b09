// Clock and pinning: what stands around a sample.
#pragma once

#include <vector>

#include "core/device.h"

namespace xnorbench {

/// Core clock of `device` in Hz after keeping it busy for a tenth of a second, so that it has left
/// its idle clock.
double warm_up_clock(Device& device);

/// Keeps this thread on the first CPU that it may use while the object lives; one thread moved
/// between two threads of a core is a different measurement. Does nothing for more than one thread.
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
