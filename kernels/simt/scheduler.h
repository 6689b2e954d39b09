// Between the kernel's calls and the scheduler that runs its threads.
#pragma once

#include <string>

#include "kernels/simt/block.h"

namespace xnorbench::simt {

/// Of the thread that runs. Throws Error outside of a kernel.
Block& current_block();
Thread& current_thread();

/// The thread that runs waits in `call` until the block releases it.
void wait(State state, const Call& call);

/// Gives the thread that runs up, and with it the launch: run() throws an Error with this message.
void set_failure(std::string message);
[[noreturn]] void abandon_thread();

/// The same with the message that `describe` returns. It is a function because the stack of the
/// thread is never returned to: no string may be left on it.
template <typename Describe>
[[noreturn]] void fail(const Describe& describe) {
  set_failure(describe());
  abandon_thread();
}

}  // namespace xnorbench::simt
