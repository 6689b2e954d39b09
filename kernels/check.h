// Calls of CUDA and its libraries, checked.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace xnorbench::cuda {

/// "CUDA: WHAT: an illegal memory access was encountered (cudaErrorIllegalAddress)".
std::string message_of(cudaError_t error, const std::string& what);

/// Throws std::runtime_error with that message.
inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(message_of(error, what));
}

}  // namespace xnorbench::cuda
