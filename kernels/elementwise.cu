// The elementwise operations of core/elementwise.h, one element a thread. docs/method.md defines
// how each rounds.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

__device__ inline float relu(float x, float slope) {
  return x > 0.0F ? x : slope == 0.0F ? 0.0F : __fmul_rn(slope, x);
}

__global__ void add_per_channel(float* tensor, const float* offset, int count, int channels) {
  const int index = global_thread();
  if (index < count) tensor[index] = __fadd_rn(tensor[index], offset[index % channels]);
}

__global__ void affine_relu(int count, int channels, ConstTensorArguments a, AffineArguments affine,
                            bool with_relu, float slope, TensorArguments out) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / channels;
  const int channel = index % channels;
  const float y = apply_affine(a.data[pixel * a.stride + channel], affine, channel);
  out.data[pixel * out.stride + channel] = with_relu ? relu(y, slope) : y;
}

__global__ void add(int count, int channels, ConstTensorArguments a, ConstTensorArguments addend,
                    TensorArguments out) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / channels;
  const int channel = index % channels;
  float y = a.data[pixel * a.stride + channel];
  if (addend.data) y = __fadd_rn(y, addend.data[pixel * addend.stride + channel]);
  out.data[pixel * out.stride + channel] = y;
}

/// Combines the elements of one window that lie inside the tensor, row by row.
template <typename Combine>
__device__ float pool_window(const PoolArguments& p, int pixel, int channel, Combine combine) {
  const int row = pixel / p.out_width;
  const int left = pixel % p.out_width * p.stride - p.pad_before;
  const int top = row % p.out_height * p.stride - p.pad_before;
  const int image = row / p.out_height * p.in_height;
  float result = 0.0F;
  bool first = true;
  for (int y = max(top, 0); y < min(top + p.size, p.in_height); ++y)
    for (int x = max(left, 0); x < min(left + p.size, p.in_width); ++x) {
      const float element = p.a.data[((image + y) * p.in_width + x) * p.a.stride + channel];
      result = first ? element : combine(result, element);
      first = false;
    }
  return result;
}

__global__ void average_pool(PoolArguments p, float share, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / p.channels;
  const int channel = index % p.channels;
  const float sum =
      pool_window(p, pixel, channel, [](float a, float b) { return __fadd_rn(a, b); });
  p.out.data[pixel * p.out.stride + channel] = __fmul_rn(sum, share);
}

__global__ void max_pool(PoolArguments p, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / p.channels;
  const int channel = index % p.channels;
  p.out.data[pixel * p.out.stride + channel] = pool_window(
      p, pixel, channel, [](float largest, float x) { return x > largest ? x : largest; });
}

__global__ void upsample_add(int width, int channels, int count, ConstTensorArguments a,
                             ConstTensorArguments addend, TensorArguments out) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / channels;
  const int channel = index % channels;
  // Rows are counted over the whole batch. There are twice as many as `a` has, so half of a row's
  // index is that of its source in any image.
  const int row = pixel / (2 * width);
  const int x = pixel % (2 * width);
  float y = a.data[(row / 2 * width + x / 2) * a.stride + channel];
  if (addend.data) y = __fadd_rn(y, addend.data[pixel * addend.stride + channel]);
  out.data[pixel * out.stride + channel] = y;
}

}  // namespace

void launch_add_per_channel(float* tensor, const float* offset, int pixels, int channels,
                            Stream stream) {
  const int count = pixels * channels;
  launch(add_per_channel, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream,
         tensor, offset, count, channels);
  check_launch("add_per_channel");
}

void launch_affine_relu(int pixels, int channels, const ConstTensorArguments& a,
                        const AffineArguments& affine, bool with_relu, float slope,
                        const TensorArguments& out, Stream stream) {
  const int count = pixels * channels;
  launch(affine_relu, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, count,
         channels, a, affine, with_relu, slope, out);
  check_launch("affine_relu");
}

void launch_add(int pixels, int channels, const ConstTensorArguments& a,
                const ConstTensorArguments& addend, const TensorArguments& out, Stream stream) {
  const int count = pixels * channels;
  launch(add, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, count, channels,
         a, addend, out);
  check_launch("add");
}

void launch_average_pool(const PoolArguments& pool, Stream stream) {
  const int count = pool.out_pixels * pool.channels;
  const float share = 1.0F / static_cast<float>(pool.size * pool.size);
  launch(average_pool, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, pool,
         share, count);
  check_launch("average_pool");
}

void launch_max_pool(const PoolArguments& pool, Stream stream) {
  const int count = pool.out_pixels * pool.channels;
  launch(max_pool, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, pool,
         count);
  check_launch("max_pool");
}

void launch_upsample_add(int batch, int height, int width, int channels,
                         const ConstTensorArguments& a, const ConstTensorArguments& addend,
                         const TensorArguments& out, Stream stream) {
  const int count = batch * height * width * 4 * channels;
  launch(upsample_add, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, width,
         channels, count, a, addend, out);
  check_launch("upsample_add");
}

}  // namespace xnorbench::cuda
