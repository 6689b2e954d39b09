#include "reference/im2col_gemm.h"

#include <cblas.h>

#include <algorithm>

namespace xnorbench {
namespace {

// Columns are written and read again at once, from the cache. Whole-map columns were slower
// (docs/kernels.md has the figures) and take up to 36 MiB a layer in the hourglass.
constexpr std::int64_t band_bytes = std::int64_t{2} << 20;
// Enough rows for SGEMM's blocking to pay.
constexpr std::int64_t least_band = 64;

}  // namespace

Im2colGemm::Im2colGemm(const ConvShape& shape, float pad, int threads) : shape_(shape), pad_(pad), threads_(threads) {
  const std::int64_t row_bytes = shape.k() * static_cast<std::int64_t>(sizeof(float));
  // An even share for every thread at most.
  const std::int64_t share = (shape.out_pixels() + threads - 1) / threads;
  band_pixels_ = shape.is_pointwise() ? share : std::min(share, std::max(least_band, band_bytes / row_bytes));
}

std::size_t Im2colGemm::columns_bytes() const {
  if (shape_.is_pointwise()) return 0;
  return (static_cast<std::size_t>(band_pixels_ * shape_.k()) * sizeof(float) + 63) / 64 * 64;
}

void Im2colGemm::fill_columns(const float* source, std::int64_t group, std::int64_t first, std::int64_t pixels,
                              float* columns) const {
  const ConvShape& s = shape_;
  const std::int64_t channels = s.group_in_channels();
  for (std::int64_t p = 0; p < pixels; ++p) {
    const std::int64_t pixel = first + p;
    const std::int64_t ox = pixel % s.out_width();
    const std::int64_t oy = pixel / s.out_width() % s.out_height();
    const std::int64_t n = pixel / s.out_width() / s.out_height();
    float* out = columns + p * s.k();
    for (std::int64_t ky = 0; ky < s.kernel_height; ++ky) {
      const std::int64_t iy = oy * s.stride_height - s.pad_height + ky * s.dilation_height;
      for (std::int64_t kx = 0; kx < s.kernel_width; ++kx, out += channels) {
        const std::int64_t ix = ox * s.stride_width - s.pad_width + kx * s.dilation_width;
        if (iy >= 0 && iy < s.in_height && ix >= 0 && ix < s.in_width)
          std::copy_n(source + ((n * s.in_height + iy) * s.in_width + ix) * s.in_channels + group * channels, channels, out);
        else
          std::fill_n(out, channels, pad_);
      }
    }
  }
}

void Im2colGemm::run_band(const float* source, const float* weights, std::int64_t first, std::int64_t pixels,
                          float* columns, float* sums) const {
  const std::int64_t k = shape_.k();
  const std::int64_t out_channels = shape_.group_out_channels();
  for (std::int64_t group = 0; group < shape_.groups; ++group) {
    const float* matrix = columns;
    std::int64_t leading = k;
    if (shape_.is_pointwise()) {
      matrix = source + first * shape_.in_channels + group * k;
      leading = shape_.in_channels;
    } else {
      fill_columns(source, group, first, pixels, columns);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<blasint>(pixels),
                static_cast<blasint>(out_channels), static_cast<blasint>(k), 1.0F, matrix,
                static_cast<blasint>(leading), weights + group * out_channels * k, static_cast<blasint>(k), 0.0F,
                sums + group * out_channels, static_cast<blasint>(shape_.out_channels));
  }
}

void Im2colGemm::use_single_threaded_gemm() { openblas_set_num_threads(1); }

std::string Im2colGemm::core_name() { return openblas_get_corename(); }

}  // namespace xnorbench
