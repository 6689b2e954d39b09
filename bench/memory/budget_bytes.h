// The memory of a device, and the part of it that others hold.
#pragma once

#include <cstddef>

namespace xnorbench {

struct Budget {
  std::size_t bytes = 0, reserved_bytes = 0;
  std::size_t left() const { return bytes - reserved_bytes; }
};

}  // namespace xnorbench
