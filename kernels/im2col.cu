// Writes the im2col buffer for a product by cuBLAS, one element a thread.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

__global__ void im2col(Im2colArguments arguments, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const WindowArguments& w = arguments.window;
  const int channel = index % arguments.channels;
  const int tap = index / arguments.channels % (w.kernel_height * w.kernel_width);
  const int pixel =
      arguments.first_pixel + index / arguments.channels / (w.kernel_height * w.kernel_width);
  const WindowPlace place(w, pixel);
  const int x = place.left + tap % w.kernel_width * w.dilation_width;
  const int y = place.top + tap / w.kernel_width * w.dilation_height;
  const bool inside = y >= 0 && y < w.in_height && x >= 0 && x < w.in_width;
  arguments.columns[index] =
      inside ? arguments.source[((place.image_row + y) * w.in_width + x) * arguments.in_channels +
                                arguments.first_channel + channel]
             : arguments.pad;
}

}  // namespace

void launch_im2col(const Im2colArguments& arguments, Stream stream) {
  const int taps = arguments.window.kernel_height * arguments.window.kernel_width;
  const int count = arguments.pixels * taps * arguments.channels;
  launch(im2col, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, arguments,
         count);
  check_launch("im2col");
}

}  // namespace xnorbench::cuda
