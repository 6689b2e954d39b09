#include "kernels/simt/sanitizer_hooks.h"

// The interfaces of the run-times (sanitizer/common_interface_defs.h, asan_interface.h,
// tsan_interface.h).
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom,
                                                   std::size_t* old_bytes);
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* memory, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, std::size_t bytes);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* object);
[[gnu::weak]] void __tsan_release(void* object);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace xnorbench::simt::sanitizer {
namespace {

// Flags of __tsan_switch_to_fiber.
constexpr unsigned synchronise = 0;
constexpr unsigned no_synchronisation = 1;

}  // namespace

void create_thread(Stack& stack) {
  if (__tsan_create_fiber != nullptr) {
    stack.thread = __tsan_create_fiber(0);
  }
}

void adopt_thread(Stack& stack) {
  if (__tsan_get_current_fiber != nullptr) {
    stack.thread = __tsan_get_current_fiber();
  }
}

void destroy_thread(Stack& stack) {
  if (__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(stack.bottom, stack.bytes);
  }
  if (__tsan_destroy_fiber != nullptr) {
    void* const caller = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(stack.thread, no_synchronisation);
    __tsan_switch_to_fiber(caller, synchronise);
    __tsan_destroy_fiber(stack.thread);
  }
}

void leave(Stack& from, const Stack& to, bool forever) {
  if (__sanitizer_start_switch_fiber != nullptr) {
    // No place for the fake stack: it is freed.
    __sanitizer_start_switch_fiber(forever ? nullptr : &from.fake_stack, to.bottom, to.bytes);
  }
  if (__tsan_switch_to_fiber != nullptr) {
    __tsan_switch_to_fiber(to.thread, no_synchronisation);
  }
}

void arrive(const Stack& here) {
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(here.fake_stack, nullptr, nullptr);
  }
}

void arrive_at_start(Stack& from) {
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.bytes);
  }
}

void release(void* object) {
  if (__tsan_release != nullptr) {
    __tsan_release(object);
  }
}

void acquire(void* object) {
  if (__tsan_acquire != nullptr) {
    __tsan_acquire(object);
  }
}

IgnoreAccesses::IgnoreAccesses() {
  if (AnnotateIgnoreReadsBegin != nullptr) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
}

IgnoreAccesses::~IgnoreAccesses() {
  if (AnnotateIgnoreReadsBegin != nullptr) {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
}

void poison(const void* memory, std::size_t bytes) {
  if (__asan_poison_memory_region != nullptr) {
    __asan_poison_memory_region(memory, bytes);
  }
}

void unpoison(const void* memory, std::size_t bytes) {
  if (__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(memory, bytes);
  }
}

}  // namespace xnorbench::simt::sanitizer
