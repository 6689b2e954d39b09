// Ctrl-C (or a polite kill) during a long run.
#pragma once

namespace xnorbench {

/// While it lives, the first SIGINT or SIGTERM is noted; a second one ends the program at once, for
/// a library that does not come back.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Since the last guard was made.
bool is_interrupted();

}  // namespace xnorbench
