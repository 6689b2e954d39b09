// Ctrl-C (or a polite kill) during a long run.
#pragma once

namespace xnorbench {

/// While it lives, the first SIGINT or SIGTERM is noted. A second one ends the program at once,
/// since a library may not return.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// True after a signal since the last guard was made.
bool is_interrupted();

}  // namespace xnorbench
