// The interface between the calls of a kernel and the scheduler that runs its threads.
#pragma once

#include <string>

#include "kernels/simt/block.h"

namespace xnorbench::simt {

/// The running thread and its block. Throw Error outside of a kernel.
Block& current_block();
Thread& current_thread();

/// The running thread waits in `call` until the block releases it.
void wait(State state, const Call& call);

/// Gives up the running thread, and with it the launch: run() throws an Error with this message.
void set_failure(std::string message);
[[noreturn]] void abandon_thread();

/// The same with the message that `describe` returns. It is a function because nothing returns to
/// the stack of the thread, so that no string may be left on it.
template <typename Describe>
[[noreturn]] void fail(const Describe& describe) {
  set_failure(describe());
  abandon_thread();
}

}  // namespace xnorbench::simt
