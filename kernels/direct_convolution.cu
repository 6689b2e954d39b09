// The unoptimised float baseline. A thread computes one output by a plain loop over K and reads
// both factors from global memory each time, without shared memory or tiles. Neighbouring threads
// compute neighbouring channels of a pixel, so that a warp reads one activation and 32 weights side
// by side, as in a plain product of row-major matrices.
//
// A product and its addition are one FFMA, as in any such loop that nvcc compiles by default.
// Products of -1, 0 and +1 are exact, so rounding once or twice gives the same sums.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

__global__ void direct_convolution(DirectArguments arguments, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const WindowArguments& w = arguments.window;
  const int channel = index % arguments.out_channels;
  const int first_channel = channel / arguments.group_out_channels * arguments.group_in_channels;
  const WindowPlace place(w, index / arguments.out_channels);
  int k = 0;
  float sum = 0.0F;
  for (int ky = 0; ky < w.kernel_height; ++ky)
    for (int kx = 0; kx < w.kernel_width; ++kx) {
      const int y = place.top + ky * w.dilation_height;
      const int x = place.left + kx * w.dilation_width;
      const bool inside = y >= 0 && y < w.in_height && x >= 0 && x < w.in_width;
      const int first =
          inside ? ((place.image_row + y) * w.in_width + x) * arguments.in_channels + first_channel
                 : 0;
      for (int c = 0; c < arguments.group_in_channels; ++c, ++k)
        sum = __fmaf_rn(inside ? arguments.source[first + c] : arguments.pad,
                        arguments.weights[k * arguments.out_channels + channel], sum);
    }
  arguments.sums[index] = sum;
}

}  // namespace

void launch_direct_convolution(const DirectArguments& arguments, Stream stream) {
  const int count = arguments.window.out_pixels * arguments.out_channels;
  launch(direct_convolution, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream,
         arguments, count);
  check_launch("direct_convolution");
}

}  // namespace xnorbench::cuda
