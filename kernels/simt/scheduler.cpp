// Runs a grid: block after block, and the threads of a block by turns until each waits or has
// exited.
#include "kernels/simt/scheduler.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "kernels/simt/fibre.h"
#include "kernels/simt/run.h"
#include "kernels/simt/sanitizer_hooks.h"

namespace xnorbench::simt {

Position position;

namespace {

class Launch;
Launch* running = nullptr;

/// Fibre n runs thread n of every block of every launch, because ThreadSanitizer makes new ones
/// slow.
std::vector<std::unique_ptr<Fibre>> fibres;

std::string text(dim3 size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

/// CUDA's limits, the same on all devices (compute capability 3.0 and later).
void require_valid(dim3 grid, dim3 block) {
  constexpr unsigned max_block_threads = 1024;
  const auto within = [](dim3 size, dim3 largest) {
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= largest.x &&
           size.y <= largest.y && size.z <= largest.z;
  };
  if (!within(block, {1024, 1024, 64}) ||
      std::uint64_t{block.x} * block.y * block.z > max_block_threads) {
    throw Error("a block of " + text(block) +
                " threads: at most 1024 x 1024 x 64, 1024 in all, and none is 0");
  }
  if (!within(grid, {0x7fffffff, 65535, 65535})) {
    throw Error("a grid of " + text(grid) +
                " blocks: at most 2147483647 x 65535 x 65535, and none is 0");
  }
}

std::string describe(const SharedArray& array) {
  return std::string(array.place.file) + ":" + std::to_string(array.place.line) +
         ": shared array " + array.name + " of " + std::to_string(array.bytes) + " bytes: ";
}

/// The order in which items run.
class Sequence {
 public:
  Sequence(std::size_t count, Order order) : items_(count), order_(order) {
    std::iota(items_.begin(), items_.end(), std::size_t{0});
    if (order == Order::reverse) {
      std::reverse(items_.begin(), items_.end());
    }
  }

  const std::vector<std::size_t>& next(std::mt19937& random) {
    if (order_ == Order::shuffled) {
      std::shuffle(items_.begin(), items_.end(), random);
    }
    return items_;
  }

 private:
  std::vector<std::size_t> items_;
  Order order_;
};

class Launch {
 public:
  Launch(dim3 grid, dim3 block, void (*kernel)(const void*), const void* arguments)
      : grid_(grid),
        kernel_(kernel),
        arguments_(arguments),
        block_(block),
        random_(options().seed),
        thread_order_(block_.threads().size(), options().threads) {
    if (running != nullptr) {
      throw Error("a launch while another one runs");
    }
    while (fibres.size() < block_.threads().size()) {
      fibres.push_back(std::make_unique<Fibre>());
    }
    for (Thread& thread : block_.threads()) {
      thread.fibre = fibres[thread.number].get();
    }
    position.block_size = block;
    position.grid_size = grid;
    running = this;
  }

  ~Launch() {
    sanitizer::acquire(&start_and_end_);
    // A launch that failed leaves threads in the middle.
    for (const Thread& thread : block_.threads()) {
      if (!thread.fibre->ended()) {
        fibres[thread.number] = std::make_unique<Fibre>();
      }
    }
    running = nullptr;
  }

  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  Block& block() { return block_; }
  Thread* thread() { return thread_; }

  void run() {
    Sequence blocks(std::size_t{grid_.x} * grid_.y * grid_.z, options().blocks);
    for (const std::size_t number : blocks.next(random_)) {
      run_block({static_cast<unsigned>(number % grid_.x),
                 static_cast<unsigned>(number / grid_.x % grid_.y),
                 static_cast<unsigned>(number / grid_.x / grid_.y)});
    }
  }

  void set_failure(std::string message) {
    failure_ = std::move(message);
    sanitizer::release(&start_and_end_);
  }

 private:
  void run_block(uint3 index) {
    position.block_index = index;
    block_.start(index);
    for (const Thread& thread : block_.threads()) {
      thread.fibre->start(&Launch::run_thread);
    }
    sanitizer::release(&start_and_end_);
    run_ready();
    while (!block_.ended()) {
      if (!block_.release()) {
        throw Error(block_.describe_deadlock());
      }
      run_ready();
    }
    sanitizer::acquire(&start_and_end_);
    if (const SharedArray* const array = block_.shared_memory().overrun(); array != nullptr) {
      throw Error(describe(*array) + "a thread of " + block_.describe() +
                  " wrote before its start or past its end");
    }
  }

  void run_ready() {
    for (const std::size_t number : thread_order_.next(random_)) {
      Thread& thread = block_.threads()[number];
      if (thread.state == State::ready) {
        thread_ = &thread;
        position.thread_index = thread.index;
        thread.fibre->resume();
        thread_ = nullptr;
        if (!failure_.empty()) {
          sanitizer::acquire(&start_and_end_);
          throw Error(failure_);
        }
      }
    }
  }

  static void run_thread() {
    sanitizer::acquire(&running->start_and_end_);
    running->kernel_(running->arguments_);
    sanitizer::release(&running->start_and_end_);
    running->thread_->state = State::exited;
  }

  dim3 grid_;
  void (*kernel_)(const void*);
  const void* arguments_;
  Block block_;
  std::mt19937 random_;
  Sequence thread_order_;
  Thread* thread_ = nullptr;  // that runs
  std::string failure_;
  char start_and_end_ = 0;  // what the host did before a block, and what it does after
};

}  // namespace

Options& options() {
  static Options options;
  return options;
}

void run(dim3 grid, dim3 block, void (*kernel)(const void*), const void* arguments) {
  require_valid(grid, block);
  Launch(grid, block, kernel, arguments).run();
}

Thread& current_thread() {
  if (running == nullptr || running->thread() == nullptr) {
    throw Error("called outside of a kernel");
  }
  return *running->thread();
}

Block& current_block() {
  current_thread();
  return running->block();
}

void wait(State state, const Call& call) {
  Thread& thread = current_thread();
  thread.state = state;
  thread.call = call;
  Meeting* const meeting = current_block().meeting(thread);
  void* const object = meeting == nullptr ? nullptr : meeting->object();
  if (object != nullptr) {
    sanitizer::release(object);
  }
  Fibre::give_way();
  if (object != nullptr) {
    sanitizer::acquire(object);
  }
}

void set_failure(std::string message) { running->set_failure(std::move(message)); }

void abandon_thread() {
  Fibre::give_way();
  std::abort();
}

void* shared_memory(const SharedArray& array) {
  void* const memory = current_block().shared_memory().find_or_add(array);
  if (memory == nullptr) {
    fail([&] {
      return describe(array) + "the block has more than the " + std::to_string(max_shared_bytes) +
             " bytes of shared memory of a device";
    });
  }
  return memory;
}

}  // namespace xnorbench::simt

void __syncthreads(xnorbench::simt::Place place) {
  xnorbench::simt::wait(xnorbench::simt::State::at_barrier, {"__syncthreads", place});
}
