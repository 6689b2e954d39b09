#include "kernels/cuda_libraries.h"

#include <fmt/format.h>

#include <stdexcept>

namespace xnorbench::cuda {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("cuBLAS: {}: {}", what, cublasGetStatusString(status)));
}

void check(cudnnStatus_t status, const char* what) {
  if (status != CUDNN_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("cuDNN: {}: {}", what, cudnnGetErrorString(status)));
}

cublasHandle_t create_cublas(cudaStream_t stream) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "handle");
  check(cublasSetStream(handle, stream), "stream");
  check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "math mode");
  return handle;
}

cudnnHandle_t create_cudnn(cudaStream_t stream) {
  cudnnHandle_t handle = nullptr;
  check(cudnnCreate(&handle), "handle");
  check(cudnnSetStream(handle, stream), "stream");
  return handle;
}

std::string cublas_version() {
  int major = 0, minor = 0, patch = 0;
  cublasGetProperty(MAJOR_VERSION, &major);
  cublasGetProperty(MINOR_VERSION, &minor);
  cublasGetProperty(PATCH_LEVEL, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string cudnn_version() {
  int major = 0, minor = 0, patch = 0;
  cudnnGetProperty(MAJOR_VERSION, &major);
  cudnnGetProperty(MINOR_VERSION, &minor);
  cudnnGetProperty(PATCH_LEVEL, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace xnorbench::cuda
