// The threads of a block: each one's place, the call that it waits in, and when it may go on.
#pragma once

#include <string>
#include <vector>

#include "kernels/simt/shared_memory.h"
#include "kernels/simt/warp.h"

namespace xnorbench::simt {

class Fibre;

inline bool names(unsigned mask, unsigned lane) { return (mask >> lane & 1U) != 0; }

/// A place where threads meet: their accesses before it happen before those after it. Two objects
/// take turns, because a thread may already wait for the next meeting while others still leave this
/// one.
class Meeting {
 public:
  void* object() { return &objects_[count_ % 2]; }
  void next() { ++count_; }

 private:
  char objects_[2] = {};
  unsigned count_ = 0;
};

/// The call that a thread waits in.
struct Call {
  const char* name;
  Place place;
  // Only for collectives of a warp.
  unsigned mask = 0;
  const void* input = nullptr;
  void* output = nullptr;
  void (*exchange)(const WarpExchange&) = nullptr;
};

enum class State : unsigned char { ready, at_barrier, in_collective, exited };

struct Thread {
  unsigned number = 0;  ///< in the block, x fastest: CUDA's order for warps
  uint3 index{};
  Fibre* fibre = nullptr;
  State state = State::ready;
  Call call{};
  Meeting meeting;  ///< of the collectives whose first lane it is

  unsigned warp() const { return number / 32; }
  unsigned lane() const { return number % 32; }
};

class Block {
 public:
  explicit Block(dim3 size);

  /// Puts every thread at its start, and shared memory without a value.
  void start(uint3 index);

  std::vector<Thread>& threads() { return threads_; }
  SharedMemory& shared_memory() { return shared_memory_; }
  /// The meeting of a thread that waits in a call; null if the call orders no memory accesses.
  Meeting* meeting(const Thread& thread);

  bool ended() const;
  /// When no thread is ready: releases all threads whose partners have arrived. False if there are
  /// none. Throws Error if CUDA does not allow what a thread waits for.
  bool release();

  /// "block (0,0,0)"
  std::string describe() const;
  /// "block (0,0,0) thread (5,0,0) (warp 0, lane 5)"
  std::string describe(const Thread& thread) const;
  /// "kernel.cu:12: __ballot_sync(0xffffffff) by block ...: "
  std::string describe_call(const Thread& thread) const;
  /// For a deadlock: the calls that threads wait in.
  std::string describe_deadlock() const;

 private:
  bool release_barrier();
  bool release_collectives();
  bool complete(const Thread& thread) const;
  void exchange(const Thread& thread);
  unsigned lanes(unsigned warp) const;
  Thread& in_same_warp(const Thread& thread, unsigned lane);
  const Thread& in_same_warp(const Thread& thread, unsigned lane) const;
  Thread& first_lane(const Thread& thread);

  uint3 index_{};
  std::vector<Thread> threads_;
  SharedMemory shared_memory_;
  Meeting barrier_;
};

}  // namespace xnorbench::simt
