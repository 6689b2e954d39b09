// Running a kernel on the host: what a launch does, in which order, and how it fails.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "kernels/simt/types.h"

namespace xnorbench::simt {

/// A kernel did what CUDA does not allow, or a launch asked for what no device has. The message
/// begins with file:line where there is one, and names the thread.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// In which order threads run from one wait to the next, and blocks from start to end. CUDA
/// promises none: a right kernel gives the same result in each.
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
/// Those of the launches that follow.
Options& options();

/// As __shared__ arrays are limited on all devices, without an opt-in.
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
