// In which order simulated threads and blocks run: as the environment variable
// XNORBENCH_SIMULATED_ORDER says, forward, reverse or shuffled.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "kernels/simt/run.h"

namespace xnorbench::cuda {
namespace {

simt::Order order_from_environment() {
  const char* const name = std::getenv("XNORBENCH_SIMULATED_ORDER");
  const std::string order = name ? name : "forward";
  if (order == "forward") return simt::Order::forward;
  if (order == "reverse") return simt::Order::reverse;
  if (order == "shuffled") return simt::Order::shuffled;
  throw std::invalid_argument("XNORBENCH_SIMULATED_ORDER=" + order +
                              " is not forward, reverse or shuffled");
}

}  // namespace

void set_order_from_environment() {
  simt::options().threads = simt::options().blocks = order_from_environment();
}

}  // namespace xnorbench::cuda
