#include "kernels/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace xnorbench::cuda {

int to_int(std::int64_t count) {
  if (count > std::numeric_limits<int>::max())
    throw InputError(fmt::format("a map of {} elements is too large for the CUDA kernels (2^31 - 1); use a smaller batch", count));
  return static_cast<int>(count);
}

bool counts_fit(const ConvShape& shape) {
  // The last block's threads are counted as well.
  constexpr std::int64_t most = std::numeric_limits<int>::max() - 65536;
  constexpr std::int64_t most_blocks = 65535;  // in the second and third dimension of a grid
  const std::int64_t tiles = (shape.group_out_channels() + channel_tile - 1) / channel_tile;
  return std::max({shape.input_count(), shape.output_count(), shape.weight_count()}) <= most &&
         shape.groups <= most_blocks && tiles <= most_blocks &&
         shape.taps() * shape.groups * tiles * channel_tile <= most;
}

OperandArguments convert(const OperandFormat& format, void* operand) {
  const bool bits = format.form == OperandForm::bits;
  return {bits ? static_cast<std::uint64_t*>(operand) : nullptr,
          bits ? nullptr : static_cast<float*>(operand),
          to_int(format.channels),
          to_int(format.group_channels()),
          to_int(format.words_per_group()),
          to_int(format.words_per_pixel()),
          1.0F - format.offset,
          -1.0F - format.offset};
}

WindowArguments window_of(const ConvShape& s) {
  return {to_int(s.in_height),     to_int(s.in_width),     to_int(s.out_height()), to_int(s.out_width()),
          to_int(s.kernel_height), to_int(s.kernel_width), to_int(s.stride_height), to_int(s.stride_width),
          to_int(s.pad_height),    to_int(s.pad_width),    to_int(s.dilation_height), to_int(s.dilation_width),
          to_int(s.out_pixels())};
}

}  // namespace xnorbench::cuda
