#include "cpu/host_passes.h"

#include <algorithm>
#include <utility>

namespace xnorbench {
namespace {

void copy_pixel(std::int64_t channels, const float* x, float* y) {
  if (x != y) std::copy_n(x, channels, y);
}

}  // namespace

void HostPasses::write_signs(std::span<const SignTarget> signs, std::int64_t pixel, std::int64_t channels,
                             const float* y) const {
  for (const SignTarget& target : signs) xnorbench::write_signs(loops_, target, pixel, channels, y);
}

void HostPasses::affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                             std::optional<float> relu_slope, FloatMap out, std::span<const SignTarget> signs) const {
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    float* const y = out.data + pixel * out.stride;
    copy_pixel(channels, a.data + pixel * a.stride, y);
    if (affine.scale) loops_.affine(channels, affine, y);
    if (relu_slope) loops_.relu(channels, *relu_slope, y);
    write_signs(signs, pixel, channels, y);
  }
}

void HostPasses::add_pixel(std::int64_t channels, const float* a, const float* addend, float* y) const {
  if (addend == y) std::swap(a, addend);
  copy_pixel(channels, a, y);
  if (addend) loops_.add(channels, addend, y);
}

void HostPasses::add(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
                     std::span<const SignTarget> signs) const {
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    float* const y = out.data + pixel * out.stride;
    add_pixel(channels, a.data + pixel * a.stride, addend.data ? addend.data + pixel * addend.stride : nullptr, y);
    write_signs(signs, pixel, channels, y);
  }
}

/// For every output pixel: the first input pixel of its window that is inside the map is copied, the others
/// are combined into it row by row by combine(x, y), and finish(y) has the last word.
template <typename Combine, typename Finish>
void HostPasses::pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                      FloatMap out, std::span<const SignTarget> signs, Combine combine, Finish finish) const {
  const std::int64_t pixels = result.pixels();
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
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
        first ? copy_pixel(in.channels, x, y) : combine(x, y);
        first = false;
      }
    finish(y);
    write_signs(signs, pixel, in.channels, y);
  }
}

void HostPasses::average_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                              FloatMap out, std::span<const SignTarget> signs) const {
  const float share = 1.0F / static_cast<float>(window.size * window.size);
  pool(in, result, window, a, out, signs, [&](const float* x, float* sum) { loops_.add(in.channels, x, sum); },
       [&](float* sum) { loops_.scale(in.channels, share, sum); });
}

void HostPasses::max_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                          FloatMap out, std::span<const SignTarget> signs) const {
  pool(in, result, window, a, out, signs,
       [&](const float* x, float* largest) { loops_.larger(in.channels, x, largest); }, [](float*) {});
}

void HostPasses::upsample_add(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
                              std::span<const SignTarget> signs) const {
  const std::int64_t out_width = in.width * 2;
  const std::int64_t rows = in.batch * in.height * 2;
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t x = 0; x < out_width; ++x) {
      const std::int64_t pixel = row * out_width + x;
      float* const y = out.data + pixel * out.stride;
      add_pixel(in.channels, a.data + (row / 2 * in.width + x / 2) * a.stride,
                addend.data ? addend.data + pixel * addend.stride : nullptr, y);
      write_signs(signs, pixel, in.channels, y);
    }
}

}  // namespace xnorbench
