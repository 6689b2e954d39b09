#include "cpu/host_elementwise.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"

namespace xnorbench {
namespace {

template <typename Float>
Tensor<Float> from(Tensor<Float> tensor, std::int64_t pixel) {
  if (tensor.data) tensor.data += pixel * tensor.stride;
  return tensor;
}

}  // namespace

void HostElementwiseOperations::affine_relu(std::int64_t pixels, std::int64_t channels,
                                            ConstFloatTensor a, AffineView affine,
                                            std::optional<float> relu_slope, FloatTensor out,
                                            std::span<const SignTarget> signs) const {
  for_each_stretch(pixels, cpu_.threads, [&](std::int64_t first, std::int64_t count) {
    write_values_and_signs(loops_, first, {count, channels}, out, signs,
                           [&](std::int64_t pixel, Extent extent, FloatTensor y) {
                             loops_.copy(extent, from(a, first + pixel), y);
                             if (affine.scale) loops_.affine(extent, affine, y);
                             if (relu_slope) loops_.relu(extent, *relu_slope, y);
                           });
  });
}

void HostElementwiseOperations::add_rows(Extent extent, ConstFloatTensor a, ConstFloatTensor addend,
                                         FloatTensor y) const {
  if (addend.data == y.data) std::swap(a, addend);
  loops_.copy(extent, a, y);
  if (addend.data) loops_.add(extent, addend, y);
}

void HostElementwiseOperations::add(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                                    ConstFloatTensor addend, FloatTensor out,
                                    std::span<const SignTarget> signs) const {
  for_each_stretch(pixels, cpu_.threads, [&](std::int64_t first, std::int64_t count) {
    write_values_and_signs(loops_, first, {count, channels}, out, signs,
                           [&](std::int64_t pixel, Extent extent, FloatTensor y) {
                             add_rows(extent, from(a, first + pixel), from(addend, first + pixel),
                                      y);
                           });
  });
}

/// For every output pixel: copies the first input pixel of its window that is inside the tensor,
/// combines the others into it row by row, and calls `finish` on the result.
template <typename Combine, typename Finish>
void HostElementwiseOperations::pool(const TensorShape& in, const TensorShape& result,
                                     const PoolWindow& window, ConstFloatTensor a, FloatTensor out,
                                     std::span<const SignTarget> signs, Combine combine,
                                     Finish finish) const {
  const bool padded = window.pad_before > 0 || window.pad_after > 0;
  // Many pixels of a row at once if every window is inside the tensor.
  const std::int64_t length = padded ? 1 : std::min<std::int64_t>(result.width, 64);
  const std::int64_t across = (result.width + length - 1) / length;
  const std::int64_t stretches = result.batch * result.height * across;
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
  for (std::int64_t i = 0; i < stretches; ++i) {
    const std::int64_t row = i / across;
    const std::int64_t column = i % across * length;
    const std::int64_t count = std::min(length, result.width - column);
    const std::int64_t top = row % result.height * window.stride - window.pad_before;
    const std::int64_t image = row / result.height * in.height;
    write_values_and_signs(
        loops_, row * result.width + column, {count, in.channels}, out, signs,
        [&](std::int64_t pixel, Extent extent, FloatTensor y) {
          const std::int64_t left = (column + pixel) * window.stride - window.pad_before;
          bool first = true;
          for (std::int64_t iy = std::max<std::int64_t>(top, 0);
               iy < std::min(top + window.size, in.height); ++iy)
            for (std::int64_t ix = std::max<std::int64_t>(left, 0);
                 ix < std::min(left + window.size, in.width); ++ix) {
              const ConstFloatTensor x{a.data + ((image + iy) * in.width + ix) * a.stride,
                                       a.stride * window.stride};
              first ? loops_.copy(extent, x, y) : combine(extent, x, y);
              first = false;
            }
          finish(extent, y);
        });
  }
}

void HostElementwiseOperations::average_pool(const TensorShape& in, const TensorShape& result,
                                             const PoolWindow& window, ConstFloatTensor a,
                                             FloatTensor out,
                                             std::span<const SignTarget> signs) const {
  const float share = 1.0F / static_cast<float>(window.size * window.size);
  pool(in, result, window, a, out, signs, loops_.add,
       [&](Extent extent, FloatTensor sum) { loops_.scale(extent, share, sum); });
}

void HostElementwiseOperations::max_pool(const TensorShape& in, const TensorShape& result,
                                         const PoolWindow& window, ConstFloatTensor a,
                                         FloatTensor out, std::span<const SignTarget> signs) const {
  pool(in, result, window, a, out, signs, loops_.larger, [](Extent, FloatTensor) {});
}

void HostElementwiseOperations::upsample_add(const TensorShape& in, ConstFloatTensor a,
                                             ConstFloatTensor addend, FloatTensor out,
                                             std::span<const SignTarget> signs) const {
  const std::int64_t rows = in.batch * in.height * 2;
  const std::int64_t width = in.width * 2;
#pragma omp parallel for num_threads(cpu_.threads) schedule(static) if (cpu_.threads > 1)
  for (std::int64_t row = 0; row < rows; ++row) {
    const ConstFloatTensor source = from(a, row / 2 * in.width);
    write_values_and_signs(
        loops_, row * width, {width, in.channels}, out, signs,
        [&](std::int64_t pixel, Extent extent, FloatTensor y) {
          // Each input pixel twice: even output pixels, then odd ones.
          for (std::int64_t odd = 0; odd < 2; ++odd) {
            const std::int64_t first = (pixel + odd) % 2;  // of this part
            const Extent half{(extent.pixels - first + 1) / 2, extent.channels};
            const ConstFloatTensor other = from(addend, row * width + pixel + first);
            add_rows(half, from(source, (pixel + first) / 2), {other.data, 2 * other.stride},
                     {from(y, first).data, 2 * y.stride});
          }
        });
  }
}

}  // namespace xnorbench
