#include "kernels/check.h"

#include <fmt/format.h>

#include "kernels/launch.h"

namespace xnorbench::cuda {

std::string message_of(cudaError_t error, const std::string& what) {
  return fmt::format("CUDA: {}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace xnorbench::cuda
