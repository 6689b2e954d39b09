// Runs a kernel on the host: the launch, the order of its threads, and its errors.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "kernels/simt/types.h"

namespace xnorbench::simt {

/// A kernel broke a rule of CUDA, or a launch asked for more than any device has. The message
/// begins with file:line if there is one, and names the thread.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The order in which threads run from one wait to the next, and blocks from start to end. CUDA
/// promises no order. A right kernel gives the same result in each.
enum class Order {
  forward,
  reverse,
  shuffled,  ///< threads anew after every wait
};

struct Options {
  Order threads = Order::forward;
  Order blocks = Order::forward;
  unsigned seed = 1;  ///< of what is shuffled
};
/// The options of the launches that follow.
Options& options();

/// The limit of __shared__ arrays on all devices, without an opt-in.
inline constexpr std::size_t max_shared_bytes = 48 * 1024;

/// Calls kernel(arguments) once for each thread of the grid; one launch at a time in a process.
/// After an Error the kernel's output is whatever its threads had written by then.
void run(dim3 grid, dim3 block, void (*kernel)(const void* arguments), const void* arguments);

/// The same for a function object.
template <typename Kernel>
void run(dim3 grid, dim3 block, const Kernel& kernel) {
  void (*const call)(const void*) = [](const void* object) {
    (*static_cast<const Kernel*>(object))();
  };
  run(grid, block, call, &kernel);
}

}  // namespace xnorbench::simt
