// Stands in for the calls of cuDNN that need a device; descriptors are cuDNN's own. The convolution
// is computed as the descriptors say, in plain loops.
#include "tests/simulated/fake_cudnn.h"

#include <cudnn.h>

#include <cstdint>
#include <cstring>

namespace xnorbench::cuda {

int calls = 0;
bool supports_nothing = false;

}  // namespace xnorbench::cuda

namespace {

struct Tensor {
  int n = 0, c = 0, h = 0, w = 0, stride_n = 0, stride_c = 0, stride_h = 0, stride_w = 0;

  explicit Tensor(cudnnTensorDescriptor_t descriptor) {
    cudnnDataType_t type;
    cudnnGetTensor4dDescriptor(descriptor, &type, &n, &c, &h, &w, &stride_n, &stride_c, &stride_h,
                               &stride_w);
  }
  std::int64_t at(int in, int ic, int ih, int iw) const {
    return static_cast<std::int64_t>(in) * stride_n + static_cast<std::int64_t>(ic) * stride_c +
           static_cast<std::int64_t>(ih) * stride_h + static_cast<std::int64_t>(iw) * stride_w;
  }
};

struct Window {
  int pad_h = 0, pad_w = 0, stride_h = 0, stride_w = 0, dilation_h = 0, dilation_w = 0, groups = 0;
  cudnnMathType_t math{};
  cudnnConvolutionMode_t mode{};

  explicit Window(cudnnConvolutionDescriptor_t descriptor) {
    cudnnDataType_t type;
    cudnnGetConvolution2dDescriptor(descriptor, &pad_h, &pad_w, &stride_h, &stride_w, &dilation_h,
                                    &dilation_w, &mode, &type);
    cudnnGetConvolutionGroupCount(descriptor, &groups);
    cudnnGetConvolutionMathType(descriptor, &math);
  }
};

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  static char the_handle;
  *handle = reinterpret_cast<cudnnHandle_t>(&the_handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t) { return CUDNN_STATUS_SUCCESS; }

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, const cudnnTensorDescriptor_t,
                                                      const cudnnFilterDescriptor_t,
                                                      const cudnnConvolutionDescriptor_t,
                                                      const cudnnTensorDescriptor_t,
                                                      cudnnConvolutionFwdAlgo_t algorithm,
                                                      std::size_t* bytes) {
  if (xnorbench::cuda::supports_nothing || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM)
    return CUDNN_STATUS_NOT_SUPPORTED;
  *bytes = algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ? 4096 : 1024;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t, const void* alpha, const cudnnTensorDescriptor_t x_descriptor,
    const void* x_data, const cudnnFilterDescriptor_t w_descriptor, const void* w_data,
    const cudnnConvolutionDescriptor_t c_descriptor, cudnnConvolutionFwdAlgo_t algorithm,
    void* workspace, std::size_t bytes, const void* beta,
    const cudnnTensorDescriptor_t y_descriptor, void* y_data) {
  const Tensor x(x_descriptor), y(y_descriptor);
  const Window window(c_descriptor);
  cudnnDataType_t type;
  cudnnTensorFormat_t format;
  int out = 0, in = 0, kernel_h = 0, kernel_w = 0;
  cudnnGetFilter4dDescriptor(w_descriptor, &type, &format, &out, &in, &kernel_h, &kernel_w);
  ++xnorbench::cuda::calls;
  // Is supported when asked, and then refuses.
  if (algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM)
    return CUDNN_STATUS_NOT_SUPPORTED;
  const bool as_it_should_be =
      algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM && bytes == 4096 &&
      window.math == CUDNN_FMA_MATH && window.mode == CUDNN_CROSS_CORRELATION &&
      format == CUDNN_TENSOR_NHWC && *static_cast<const float*>(alpha) == 1.0F &&
      *static_cast<const float*>(beta) == 0.0F;
  if (!as_it_should_be) return CUDNN_STATUS_BAD_PARAM;
  std::memset(workspace, 0xAB, bytes);
  const auto* const source = static_cast<const float*>(x_data);
  const auto* const weights = static_cast<const float*>(w_data);
  auto* const sums = static_cast<float*>(y_data);
  const int group_out = out / window.groups;
  for (int n = 0; n < y.n; ++n)
    for (int oy = 0; oy < y.h; ++oy)
      for (int ox = 0; ox < y.w; ++ox)
        for (int o = 0; o < out; ++o) {
          float sum = 0.0F;
          for (int ky = 0; ky < kernel_h; ++ky)
            for (int kx = 0; kx < kernel_w; ++kx) {
              const int iy = oy * window.stride_h - window.pad_h + ky * window.dilation_h;
              const int ix = ox * window.stride_w - window.pad_w + kx * window.dilation_w;
              if (iy < 0 || iy >= x.h || ix < 0 || ix >= x.w) continue;
              for (int i = 0; i < in; ++i)
                sum +=
                    source[x.at(n, o / group_out * in + i, iy, ix)] *
                    weights[((static_cast<std::int64_t>(o) * kernel_h + ky) * kernel_w + kx) * in +
                            i];
            }
          sums[y.at(n, o, oy, ox)] = sum;
        }
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
