// A function that runs on a stack of its own, gives way in the middle and goes on later.
#pragma once

#include <cstddef>

#include "kernels/simt/context.h"
#include "kernels/simt/sanitizer_hooks.h"

namespace xnorbench::simt {

/// A C++ exception must not leave the function. If a fibre is destroyed before its function has
/// ended, no destructors run for the objects on its stack.
class Fibre {
 public:
  /// Throws std::bad_alloc.
  Fibre();
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  /// The next resume() calls `function`. The fibre is new, or its last function has ended.
  void start(void (*function)());
  bool ended() const { return ended_; }

  /// Goes on until the function gives way or ends. Not to be called on a fibre.
  void resume();
  /// Called on a fibre: returns to the caller of resume().
  static void give_way();

 private:
  struct Stack {
    Context context;
    sanitizer::Stack known;
  };

  static void enter();
  static void change(Stack& from, Stack& to, bool forever);

  static Fibre* running_;
  static Stack home_;  ///< of the thread of the system

  char* mapping_;
  Stack stack_;
  void (*function_)() = nullptr;
  bool ended_ = true;
};

}  // namespace xnorbench::simt
