#include "kernels/check.h"

#include <fmt/format.h>


namespace xnorbench::cuda {

std::string message_of(cudaError_t error, const std::string& what) {
  return fmt::format("CUDA: {}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

}  // namespace xnorbench::cuda
