// Calls of the sanitizers, for code that switches stacks and runs many threads of a kernel on one
// thread of the system. Their run-times are found by weak symbols. Without them nothing happens.
#pragma once

#include <cstddef>

// This library stands between the kernels' threads, as the hardware does. Its own accesses do not
// count as the program's, and instrumented code does not survive a change of stacks.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#error "kernels/simt is never sanitised itself: compile its files with -fno-sanitize=all"
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#error "kernels/simt is never sanitised itself: compile its files with -fno-sanitize=all"
#endif

namespace xnorbench::simt::sanitizer {

/// A stack as AddressSanitizer and ThreadSanitizer know it.
struct Stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;  ///< AddressSanitizer's copy of variables, to see use after return
  void* thread = nullptr;      ///< ThreadSanitizer's thread
};

/// A thread of its own for ThreadSanitizer. Reuse it: with g++'s run-time it costs 0.6 ms and 0.8
/// MB.
void create_thread(Stack& stack);
/// The calling thread of the system becomes the thread of `stack`.
void adopt_thread(Stack& stack);
/// Forgets the thread, and what is known of the stack's memory. All that it did happens before what
/// the calling thread does next.
void destroy_thread(Stack& stack);

/// Around the change from one stack to another: `leave` just before, `arrive` just after, on the
/// other one. The change orders no accesses of the two threads. A stack that is left forever may
/// start again.
void leave(Stack& from, const Stack& to, bool forever);
void arrive(const Stack& here);
/// The same where a stack starts: `from` is where it was started from and learns its own bounds.
void arrive_at_start(Stack& from);

/// What happened before a release of an object happens before what follows an acquire of it.
void release(void* object);
void acquire(void* object);

/// While it lives, accesses do not count as the program's: those of the C library called from here,
/// and those of instrumented code called back.
class IgnoreAccesses {
 public:
  IgnoreAccesses();
  ~IgnoreAccesses();
  IgnoreAccesses(const IgnoreAccesses&) = delete;
  IgnoreAccesses& operator=(const IgnoreAccesses&) = delete;
};

/// AddressSanitizer reports any access of poisoned memory.
void poison(const void* memory, std::size_t bytes);
void unpoison(const void* memory, std::size_t bytes);

}  // namespace xnorbench::simt::sanitizer
