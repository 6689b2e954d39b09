// Handles of cuBLAS and cuDNN, and their calls checked.
#pragma once

#include <cublas_v2.h>
#include <cudnn.h>

#include <string>

namespace xnorbench::cuda {

/// Throw std::runtime_error: "cuBLAS: WHAT: the library's message".
void check(cublasStatus_t status, const char* what);
void check(cudnnStatus_t status, const char* what);

/// On `stream`. TF32 stays off: cuBLAS takes it only where it is asked for.
cublasHandle_t create_cublas(cudaStream_t stream);
cudnnHandle_t create_cudnn(cudaStream_t stream);

/// "13.1.0"; of the library that was loaded.
std::string cublas_version();
std::string cudnn_version();

}  // namespace xnorbench::cuda
