#include "kernels/simt/block.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "kernels/simt/run.h"
#include "kernels/simt/sanitizer_hooks.h"

namespace xnorbench::simt {
namespace {

std::string text(const uint3& index) {
  // Not "(" + ...: g++ 12 warns of its own library at -O3.
  return std::string("(") + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::string text(const Place& place) {
  return std::string(place.file) + ":" + std::to_string(place.line);
}

std::string text(unsigned mask) {
  char digits[sizeof "0xffffffff"];
  std::snprintf(digits, sizeof digits, "0x%08x", mask);
  return digits;
}

std::string text(const Call& call) {
  return call.mask == 0 ? std::string(call.name)
                        : std::string(call.name) + "(" + text(call.mask) + ")";
}

bool same_place(const Place& a, const Place& b) {
  return a.line == b.line && std::strcmp(a.file, b.file) == 0;
}

bool same_call(const Call& a, const Call& b) {
  return std::strcmp(a.name, b.name) == 0 && same_place(a.place, b.place);
}

}  // namespace

Block::Block(dim3 size) : threads_(std::size_t{size.x} * size.y * size.z) {
  unsigned number = 0;
  for (Thread& thread : threads_) {
    thread.number = number;
    thread.index = {number % size.x, number / size.x % size.y, number / size.x / size.y};
    ++number;
  }
}

void Block::start(uint3 index) {
  index_ = index;
  shared_memory_.refill();
  for (Thread& thread : threads_) {
    thread.state = State::ready;
  }
}

Meeting* Block::meeting(const Thread& thread) {
  if (thread.state == State::at_barrier) {
    return &barrier_;
  }
  // Votes, shuffles and the like exchange values and order nothing (CUDA C++ Programming Guide,
  // "Warp Vote Functions").
  const bool orders_memory =
      thread.state == State::in_collective && thread.call.exchange == nullptr;
  return orders_memory ? &first_lane(thread).meeting : nullptr;
}

bool Block::ended() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& thread) { return thread.state == State::exited; });
}

bool Block::release() { return release_barrier() || release_collectives(); }

bool Block::release_barrier() {
  const Thread* waiting = nullptr;
  const Thread* exited = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.state == State::in_collective) {
      return false;
    }
    if (thread.state == State::exited) {
      exited = exited == nullptr ? &thread : exited;
    } else if (waiting == nullptr) {
      waiting = &thread;
    } else if (!same_place(thread.call.place, waiting->call.place)) {
      throw Error(describe_call(*waiting) + "barrier divergence: " + describe(thread) +
                  " waits at " + text(thread.call.place));
    }
  }
  if (exited != nullptr) {
    throw Error(describe_call(*waiting) + "barrier divergence: " + describe(*exited) +
                " has exited");
  }
  for (Thread& thread : threads_) {
    thread.state = State::ready;
  }
  barrier_.next();
  return true;
}

bool Block::release_collectives() {
  bool released = false;
  for (const Thread& thread : threads_) {
    if (thread.state == State::in_collective && complete(thread)) {
      exchange(thread);
      released = true;
    }
  }
  return released;
}

/// Whether all lanes that a waiting thread's mask names are there.
bool Block::complete(const Thread& thread) const {
  const Call& call = thread.call;
  bool complete = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!names(call.mask, lane)) {
      continue;
    }
    const auto fail = [&](const std::string& what) {
      throw Error(describe_call(thread) + "the mask names lane " + std::to_string(lane) +
                  ", which " + what);
    };
    if (lane >= lanes(thread.warp())) {
      fail("this warp of " + std::to_string(lanes(thread.warp())) + " threads does not have");
    }
    const Thread& other = in_same_warp(thread, lane);
    if (other.state == State::exited) {
      fail("has exited");
    }
    // A lane in another collective that does not name this one may come here after it.
    if (other.state != State::in_collective || !names(other.call.mask, thread.lane())) {
      complete = false;
    } else if (!same_call(call, other.call)) {
      fail("waits in " + text(other.call) + " at " + text(other.call.place));
    } else if (call.mask != other.call.mask) {
      fail("waits here with the mask " + text(other.call.mask));
    }
  }
  return complete;
}

void Block::exchange(const Thread& thread) {
  const Call call = thread.call;
  WarpExchange exchange{};
  exchange.mask = call.mask;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (names(call.mask, lane)) {
      Thread& other = in_same_warp(thread, lane);
      exchange.input[lane] = other.call.input;
      exchange.output[lane] = other.call.output;
      other.state = State::ready;
    }
  }
  if (call.exchange == nullptr) {
    first_lane(thread).meeting.next();
  } else {
    // Values pass between registers, so the program does not access memory.
    const sanitizer::IgnoreAccesses ignore;
    call.exchange(exchange);
  }
}

unsigned Block::lanes(unsigned warp) const {
  return static_cast<unsigned>(std::min<std::size_t>(32, threads_.size() - std::size_t{warp} * 32));
}

Thread& Block::in_same_warp(const Thread& thread, unsigned lane) {
  return threads_[thread.warp() * 32 + lane];
}
const Thread& Block::in_same_warp(const Thread& thread, unsigned lane) const {
  return threads_[thread.warp() * 32 + lane];
}

/// The first of the lanes that a waiting thread's mask names.
Thread& Block::first_lane(const Thread& thread) {
  return in_same_warp(thread, static_cast<unsigned>(__builtin_ctz(thread.call.mask)));
}

std::string Block::describe() const { return "block " + text(index_); }

std::string Block::describe(const Thread& thread) const {
  return describe() + " thread " + text(thread.index) + " (warp " + std::to_string(thread.warp()) +
         ", lane " + std::to_string(thread.lane()) + ")";
}

std::string Block::describe_call(const Thread& thread) const {
  return text(thread.call.place) + ": " + text(thread.call) + " by " + describe(thread) + ": ";
}

std::string Block::describe_deadlock() const {
  std::vector<const Thread*> waiting;
  for (const Thread& thread : threads_) {
    if (thread.state != State::exited) {
      waiting.push_back(&thread);
    }
  }
  std::string message =
      text(waiting.front()->call.place) + ": deadlock: no thread of the block can go on";
  // One line for those that wait in the same call with the same mask.
  while (!waiting.empty()) {
    const Thread& first = *waiting.front();
    const auto others =
        std::stable_partition(waiting.begin(), waiting.end(), [&](const Thread* thread) {
          return same_call(thread->call, first.call) && thread->call.mask == first.call.mask;
        });
    const std::string count = std::to_string(others - waiting.begin());
    message += "\n";
    message += describe_call(first) + count + " threads wait here, this is the first";
    waiting.erase(waiting.begin(), others);
  }
  return message;
}

}  // namespace xnorbench::simt
