// The core clock while samples are taken, and the CPU that they are taken on.
#pragma once

#include <vector>

#include "core/device.h"

namespace xnorbench {

/// Core clock of `device` in Hz after keeping it busy for a tenth of a second, so that it has left
/// its idle clock.
double warm_up_clock(Device& device);

/// Keeps this thread on the first CPU that it may use, as long as the object lives. A thread that
/// moves between the two hardware threads of a core would be timed differently. Does nothing for
/// more than one thread.
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
