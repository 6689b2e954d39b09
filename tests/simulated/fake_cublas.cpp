// Stands in for the calls of cuBLAS that the module makes: plain loops over exactly what the
// arguments say, sums in the order of k like the CPU's loop nest. The program's own symbols go
// before a library's.
#include <cublas_v2.h>

#include <cstdint>

namespace {

struct Handle {
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  cublasMath_t math = CUBLAS_TF32_TENSOR_OP_MATH;  // until it is told otherwise
};
Handle the_handle;

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = reinterpret_cast<cublasHandle_t>(&the_handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t mode) {
  the_handle.math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void* workspace, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 4096) static_cast<unsigned char*>(workspace)[i] = 0xAB;
  static_cast<unsigned char*>(workspace)[bytes - 1] = 0xAB;
  return reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0 ? CUBLAS_STATUS_SUCCESS
                                                                : CUBLAS_STATUS_INVALID_VALUE;
}
const char* cublasGetStatusString(cublasStatus_t) { return "the stand-in refuses"; }
cublasStatus_t cublasGetProperty(libraryPropertyType, int* value) {
  *value = 0;
  return CUBLAS_STATUS_SUCCESS;
}

// C (m x n) = alpha * op(A) (m x k) * op(B) (k x n) + beta * C, all columns first.
cublasStatus_t cublasSgemm_v2(cublasHandle_t, cublasOperation_t trans_a, cublasOperation_t trans_b,
                              int m, int n, int k, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc) {
  const bool sizes_fit = lda >= (trans_a == CUBLAS_OP_N ? m : k) &&
                         ldb >= (trans_b == CUBLAS_OP_N ? k : n) && ldc >= m;
  if (!sizes_fit || the_handle.math != CUBLAS_DEFAULT_MATH) return CUBLAS_STATUS_INVALID_VALUE;
  auto at = [](const float* matrix, int leading, bool transposed, int row, int column) {
    const auto index = transposed ? static_cast<std::int64_t>(row) * leading + column
                                  : static_cast<std::int64_t>(column) * leading + row;
    return matrix[index];
  };
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0.0F;
      for (int i = 0; i < k; ++i)
        sum += at(a, lda, trans_a == CUBLAS_OP_T, row, i) *
               at(b, ldb, trans_b == CUBLAS_OP_T, i, column);
      float& to = c[static_cast<std::int64_t>(column) * ldc + row];
      to = *alpha * sum + (*beta == 0.0F ? 0.0F : *beta * to);
    }
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
