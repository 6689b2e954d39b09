// The machine's part of a change of stacks: a suspended computation, and the change to another one.
#pragma once

#include <cstddef>

// x86-64 does it by a few instructions. Other processors use ucontext. It calls the system at each
// change, which is about ten times slower, and AddressSanitizer loses its marks on the new stack.
#if defined(__x86_64__) && !defined(XNORBENCH_SIMT_UCONTEXT)
#define XNORBENCH_SIMT_ASSEMBLY 1
#else
#define XNORBENCH_SIMT_ASSEMBLY 0
#include <ucontext.h>
#endif

namespace xnorbench::simt {

struct Context {
#if XNORBENCH_SIMT_ASSEMBLY
  void* stack_pointer = nullptr;
#else
  ucontext_t state;
#endif
};

/// Makes a context that starts in `entry`, which never returns, on a stack of `bytes` from `bottom`
/// on, both multiples of 16.
void make_context(Context& context, char* bottom, std::size_t bytes, void (*entry)());

/// Suspends the caller into `from` and continues `to`. Returns when something changes back.
void change_context(Context& from, Context& to);

}  // namespace xnorbench::simt
