#include "networks/elementwise.h"

#include <algorithm>

namespace xnorbench {
namespace {

void affine_pixel(std::int64_t channels, const float* a, AffineView affine, bool with_relu, float* out) {
  auto value = [&](std::int64_t c) {
    const float product = a[c] * affine.scale[c];
    return product + affine.shift[c];
  };
  if (with_relu) {
    for (std::int64_t c = 0; c < channels; ++c) out[c] = relu(value(c));
  } else {
    for (std::int64_t c = 0; c < channels; ++c) out[c] = value(c);
  }
}

void add_pixel(std::int64_t channels, const float* a, const float* addend, float* out) {
  if (addend) {
    for (std::int64_t c = 0; c < channels; ++c) out[c] = a[c] + addend[c];
  } else {
    std::copy_n(a, channels, out);
  }
}

}  // namespace

void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      bool with_relu, FloatMap out, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const float* const x = a.data + pixel * a.stride;
    float* const y = out.data + pixel * out.stride;
    if (affine.scale) {
      affine_pixel(channels, x, affine, with_relu, y);
    } else {
      for (std::int64_t c = 0; c < channels; ++c) y[c] = with_relu ? relu(x[c]) : x[c];
    }
  }
}

void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              int threads) {
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    add_pixel(channels, a.data + pixel * a.stride, addend.data ? addend.data + pixel * addend.stride : nullptr,
              out.data + pixel * out.stride);
}

void average_pool_pass(const MapShape& in, ConstFloatMap a, FloatMap out, int threads) {
  const std::int64_t out_height = in.height / 2;
  const std::int64_t out_width = in.width / 2;
  const std::int64_t rows = in.batch * out_height;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t in_row = row / out_height * in.height + row % out_height * 2;
    for (std::int64_t x = 0; x < out_width; ++x) {
      const float* const a00 = a.data + (in_row * in.width + 2 * x) * a.stride;
      const float* const a01 = a00 + a.stride;
      const float* const a10 = a00 + in.width * a.stride;
      const float* const a11 = a10 + a.stride;
      float* const y = out.data + (row * out_width + x) * out.stride;
      for (std::int64_t c = 0; c < in.channels; ++c) y[c] = (((a00[c] + a01[c]) + a10[c]) + a11[c]) * 0.25F;
    }
  }
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
