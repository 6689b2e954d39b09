#include "cpu/elementwise.h"

#include <algorithm>
#include <utility>

namespace xnorbench {
namespace {

// In place, all of them: with a source that might or might not be the destination the compiler would have to
// keep to single elements.

void affine_pixel(std::int64_t channels, AffineView affine, float* y) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const float product = y[c] * affine.scale[c];
    y[c] = product + affine.shift[c];
  }
}

void relu_pixel(std::int64_t channels, float slope, float* y) {
  if (slope == 0.0F) {
    for (std::int64_t c = 0; c < channels; ++c) y[c] = relu(y[c], 0.0F);
  } else {
    for (std::int64_t c = 0; c < channels; ++c) y[c] = relu(y[c], slope);
  }
}

void add_to_pixel(std::int64_t channels, const float* addend, float* y) {
  for (std::int64_t c = 0; c < channels; ++c) y[c] = y[c] + addend[c];
}

void copy_pixel(std::int64_t channels, const float* x, float* y) {
  if (x != y) std::copy_n(x, channels, y);
}

/// y = a + addend, or a alone; y may be either of them.
void add_pixel(std::int64_t channels, const float* a, const float* addend, float* y) {
  if (addend == y) std::swap(a, addend);
  copy_pixel(channels, a, y);
  if (addend) add_to_pixel(channels, addend, y);
}

/// For every output pixel: the first input pixel of its window that is inside the map is copied, the others
/// are combined into it row by row, and finish(y) has the last word on each element.
template <typename Combine, typename Finish>
void pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
               int threads, Combine&& combine, Finish&& finish) {
  const std::int64_t pixels = result.pixels();
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const std::int64_t row = pixel / result.width;
    const std::int64_t top = row % result.height * window.stride - window.pad_before;
    const std::int64_t left = pixel % result.width * window.stride - window.pad_before;
    const std::int64_t image = row / result.height * in.height;
    float* const y = out.data + pixel * out.stride;
    bool first = true;
    for (std::int64_t iy = std::max<std::int64_t>(top, 0); iy < std::min(top + window.size, in.height); ++iy)
      for (std::int64_t ix = std::max<std::int64_t>(left, 0); ix < std::min(left + window.size, in.width); ++ix) {
        const float* const x = a.data + ((image + iy) * in.width + ix) * a.stride;
        if (first) {
          std::copy_n(x, in.channels, y);
        } else {
          for (std::int64_t c = 0; c < in.channels; ++c) y[c] = combine(y[c], x[c]);
        }
        first = false;
      }
    for (std::int64_t c = 0; c < in.channels; ++c) y[c] = finish(y[c]);
  }
}

}  // namespace

void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      std::optional<float> relu_slope, FloatMap out, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    float* const y = out.data + pixel * out.stride;
    copy_pixel(channels, a.data + pixel * a.stride, y);
    if (affine.scale) affine_pixel(channels, affine, y);
    if (relu_slope) relu_pixel(channels, *relu_slope, y);
  }
}

void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              int threads) {
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    add_pixel(channels, a.data + pixel * a.stride, addend.data ? addend.data + pixel * addend.stride : nullptr,
              out.data + pixel * out.stride);
}

void average_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                       FloatMap out, int threads) {
  const float share = 1.0F / static_cast<float>(window.size * window.size);
  pool_pass(in, result, window, a, out, threads, [](float sum, float x) { return sum + x; },
            [share](float sum) { return sum * share; });
}

void max_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                   int threads) {
  pool_pass(in, result, window, a, out, threads, [](float largest, float x) { return x > largest ? x : largest; },
            [](float largest) { return largest; });
}

void upsample_add_pass(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out, int threads) {
  const std::int64_t out_width = in.width * 2;
  const std::int64_t rows = in.batch * in.height * 2;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t x = 0; x < out_width; ++x) {
      const std::int64_t pixel = row * out_width + x;
      add_pixel(in.channels, a.data + (row / 2 * in.width + x / 2) * a.stride,
                addend.data ? addend.data + pixel * addend.stride : nullptr, out.data + pixel * out.stride);
    }
}

}  // namespace xnorbench
