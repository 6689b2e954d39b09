#include "reference/cuda_im2col_gemm.h"

#include <algorithm>

#include "kernels/convert.h"
#include "kernels/cuda_libraries.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

// Large enough to fill any GPU, small enough not to be most of a network's memory.
constexpr std::int64_t most_im2col_bytes = std::int64_t{64} << 20;

}  // namespace

Im2colGemm::Im2colGemm(CudaDevice& device, const ConvShape& shape, float pad)
    : device_(&device), shape_(shape), pad_(pad) {
  const std::int64_t fitting =
      most_im2col_bytes / (shape.k() * static_cast<std::int64_t>(sizeof(float)));
  band_pixels_ = shape.is_pointwise() ? shape.out_pixels()
                                      : std::clamp<std::int64_t>(fitting, 1, shape.out_pixels());
}

KernelName Im2colGemm::kernel() const { return {"", "sgemm:cublas-" + cublas_version()}; }

std::size_t Im2colGemm::im2col_bytes() const {
  if (shape_.is_pointwise()) return 0;
  return align_up(static_cast<std::size_t>(band_pixels_ * shape_.k()) * sizeof(float));
}

MemoryUse Im2colGemm::workspace() const {
  MemoryUse use;
  use[Category::workspace_columns] = im2col_bytes();
  use[Category::workspace_library] = device_->cublas_workspace_bytes();
  return use;
}

void Im2colGemm::run(const float* source, const float* weights, float* sums,
                     std::byte* workspace) const {
  check(cublasSetWorkspace(device_->cublas(), workspace + im2col_bytes(),
                           device_->cublas_workspace_bytes()),
        "workspace");
  for (int group = 0; group < shape_.groups; ++group)
    for (std::int64_t first = 0; first < shape_.out_pixels(); first += band_pixels_)
      run_band(source, weights, group, first, std::min(band_pixels_, shape_.out_pixels() - first),
               reinterpret_cast<float*>(workspace), sums);
}

void Im2colGemm::run_band(const float* source, const float* weights, int group, std::int64_t first,
                          std::int64_t pixels, float* im2col, float* sums) const {
  const std::int64_t k = shape_.k();
  const std::int64_t out_channels = shape_.group_out_channels();
  const float* matrix = im2col;
  std::int64_t leading = k;
  if (shape_.is_pointwise()) {
    matrix = source + first * shape_.in_channels + group * k;
    leading = shape_.in_channels;
  } else {
    launch_im2col(
        {window_of(shape_), to_int(shape_.in_channels), to_int(group * shape_.group_in_channels()),
         to_int(shape_.group_in_channels()), to_int(first), to_int(pixels), pad_, source, im2col},
        device_->stream());
  }
  // cuBLAS is column-major: a row-major matrix is its transpose there. So it computes
  // sums^T = weights * matrix^T.
  const float one = 1.0F, zero = 0.0F;
  check(
      cublasSgemm(device_->cublas(), CUBLAS_OP_T, CUBLAS_OP_N, to_int(out_channels), to_int(pixels),
                  to_int(k), &one, weights + group * out_channels * k, to_int(k), matrix,
                  to_int(leading), &zero, sums + first * shape_.out_channels + group * out_channels,
                  to_int(shape_.out_channels)),
      "sgemm");
}

}  // namespace xnorbench::cuda
