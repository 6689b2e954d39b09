#include "cpu/elementwise.h"

#include <algorithm>
#include <utility>

#include "core/row_loops.h"

namespace xnorbench {
namespace {

// In place, all of them, by the loops of core/row_loops.h.

void copy_pixel(std::int64_t channels, const float* x, float* y) {
  if (x != y) std::copy_n(x, channels, y);
}

/// y = a + addend, or a alone; y may be either of them.
void add_pixel(const RowLoops& loops, std::int64_t channels, const float* a, const float* addend, float* y) {
  if (addend == y) std::swap(a, addend);
  copy_pixel(channels, a, y);
  if (addend) loops.add(channels, addend, y);
}

/// For every output pixel: the first input pixel of its window that is inside the map is copied, the others
/// are combined into it row by row by combine(x, y), and finish(y) has the last word.
template <typename Combine, typename Finish>
void pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
               int threads, Combine combine, Finish finish) {
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
          combine(x, y);
        }
        first = false;
      }
    finish(y);
  }
}

}  // namespace

void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      std::optional<float> relu_slope, FloatMap out, const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
#pragma omp parallel for num_threads(cpu.threads) schedule(static) if (cpu.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    float* const y = out.data + pixel * out.stride;
    copy_pixel(channels, a.data + pixel * a.stride, y);
    if (affine.scale) loops.affine(channels, affine, y);
    if (relu_slope) loops.relu(channels, *relu_slope, y);
  }
}

void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
#pragma omp parallel for num_threads(cpu.threads) schedule(static) if (cpu.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    add_pixel(loops, channels, a.data + pixel * a.stride, addend.data ? addend.data + pixel * addend.stride : nullptr,
              out.data + pixel * out.stride);
}

void average_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                       FloatMap out, const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
  const float share = 1.0F / static_cast<float>(window.size * window.size);
  pool_pass(in, result, window, a, out, cpu.threads,
            [&](const float* x, float* sum) { loops.add(in.channels, x, sum); },
            [&](float* sum) { loops.scale(in.channels, share, sum); });
}

void max_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                   const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
  pool_pass(in, result, window, a, out, cpu.threads,
            [&](const float* x, float* largest) { loops.larger(in.channels, x, largest); }, [](float*) {});
}

void upsample_add_pass(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out, const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
  const std::int64_t out_width = in.width * 2;
  const std::int64_t rows = in.batch * in.height * 2;
#pragma omp parallel for num_threads(cpu.threads) schedule(static) if (cpu.threads > 1)
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t x = 0; x < out_width; ++x) {
      const std::int64_t pixel = row * out_width + x;
      add_pixel(loops, in.channels, a.data + (row / 2 * in.width + x / 2) * a.stride,
                addend.data ? addend.data + pixel * addend.stride : nullptr, out.data + pixel * out.stride);
    }
}

}  // namespace xnorbench
