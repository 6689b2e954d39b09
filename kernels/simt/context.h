// The machine's part of a change of stacks: what a suspended computation is, and how to go on with
// it.
#pragma once

#include <cstddef>

// x86-64 by a few instructions, all else by ucontext, which asks the system at each change (about
// ten times slower) and where AddressSanitizer loses its marks on the stack that is changed to.
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

/// Suspends the caller into `from` and goes on with `to`; returns when something changes back.
void change_context(Context& from, Context& to);

}  // namespace xnorbench::simt
