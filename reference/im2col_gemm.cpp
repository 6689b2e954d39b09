#include "reference/im2col_gemm.h"

#include <cblas.h>

#include <algorithm>

#include "core/memory.h"
#include "core/window.h"

namespace xnorbench {
namespace {

// A band's im2col buffer is read right after it is written, from the cache. Buffers of whole images
// were slower (docs/kernel_log.md has the figures), and take up to 36 MiB a layer in the hourglass.
constexpr std::int64_t band_bytes = std::int64_t{2} << 20;
// Enough rows for SGEMM's blocking to pay.
constexpr std::int64_t least_band = 64;

}  // namespace

Im2colGemm::Im2colGemm(const ConvShape& shape, float pad, int threads)
    : shape_(shape), pad_(pad), threads_(threads) {
  const std::int64_t row_bytes = shape.k() * static_cast<std::int64_t>(sizeof(float));
  // At most an even share for every thread.
  const std::int64_t share = (shape.out_pixels() + threads - 1) / threads;
  band_pixels_ =
      shape.is_pointwise() ? share : std::min(share, std::max(least_band, band_bytes / row_bytes));
}

std::size_t Im2colGemm::im2col_bytes() const {
  if (shape_.is_pointwise()) return 0;
  return align_up(static_cast<std::size_t>(band_pixels_ * shape_.k()) * sizeof(float));
}

void Im2colGemm::fill_im2col(const float* source, std::int64_t group, std::int64_t first,
                             std::int64_t pixels, float* im2col) const {
  const std::int64_t channels = shape_.group_in_channels();
  const std::int64_t out_height = shape_.out_height();
  const std::int64_t out_width = shape_.out_width();
  const float* const base = source + group * channels;
  for (std::int64_t p = 0; p < pixels; ++p)
    for_each_tap(shape_, out_height, out_width, first + p, [&](std::int64_t, std::int64_t input) {
      if (input >= 0)
        std::copy_n(base + input * shape_.in_channels, channels, im2col);
      else
        std::fill_n(im2col, channels, pad_);
      im2col += channels;
    });
}

void Im2colGemm::run_band(const float* source, const float* weights, std::int64_t first,
                          std::int64_t pixels, float* im2col, float* sums) const {
  const std::int64_t k = shape_.k();
  const std::int64_t out_channels = shape_.group_out_channels();
  for (std::int64_t group = 0; group < shape_.groups; ++group) {
    const float* matrix = im2col;
    std::int64_t leading = k;
    if (shape_.is_pointwise()) {
      matrix = source + first * shape_.in_channels + group * k;
      leading = shape_.in_channels;
    } else {
      fill_im2col(source, group, first, pixels, im2col);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<blasint>(pixels),
                static_cast<blasint>(out_channels), static_cast<blasint>(k), 1.0F, matrix,
                static_cast<blasint>(leading), weights + group * out_channels * k,
                static_cast<blasint>(k), 0.0F, sums + group * out_channels,
                static_cast<blasint>(shape_.out_channels));
  }
}

void Im2colGemm::use_single_threaded_gemm() { openblas_set_num_threads(1); }

std::string Im2colGemm::core_name() { return openblas_get_corename(); }

}  // namespace xnorbench
