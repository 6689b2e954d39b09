#include "kernels/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace xnorbench::cuda {

namespace {

// The indices of threads beyond the last element, in the last block, must fit as well.
constexpr std::int64_t most = std::numeric_limits<int>::max() - 65536;

}  // namespace

int to_int(std::int64_t count) {
  if (count > std::numeric_limits<int>::max())
    throw InputError(fmt::format(
        "{} is more than the CUDA kernels count to (2^31 - 1); use a smaller shape or batch",
        count));
  return static_cast<int>(count);
}

int to_pixels(std::int64_t pixels, std::int64_t stride) {
  if (pixels * stride > most)
    throw InputError(fmt::format(
        "a tensor of {} floats is more than the CUDA kernels count to ({}); use a smaller batch",
        pixels * stride, most));
  return to_int(pixels);
}

Support counts_fit(const ConvShape& shape) {
  constexpr std::int64_t most_blocks = 65535;  // in the second and third dimension of a grid
  const std::int64_t tiles = (shape.group_out_channels() + channel_tile - 1) / channel_tile;
  if (std::max({shape.input_count(), shape.output_count(), shape.weight_count(),
                shape.taps() * shape.groups * tiles * channel_tile}) > most)
    return Support::unsupported(fmt::format("more than {} elements", most));
  if (shape.groups > most_blocks || tiles > most_blocks)
    return Support::unsupported(fmt::format("more than {} groups, or as many tiles of {} channels",
                                            most_blocks, channel_tile));
  return {};
}

PackedArguments convert(const PackedFormat& format, void* packed_input) {
  const bool bits = format.form == PackedForm::bits;
  return {bits ? static_cast<std::uint64_t*>(packed_input) : nullptr,
          bits ? nullptr : static_cast<float*>(packed_input),
          to_int(format.channels),
          to_int(format.group_channels()),
          to_int(format.words_per_group()),
          to_int(format.words_per_pixel()),
          1.0F - format.offset,
          -1.0F - format.offset};
}

WindowArguments window_of(const ConvShape& s) {
  return {to_int(s.in_height),     to_int(s.in_width),        to_int(s.out_height()),
          to_int(s.out_width()),   to_int(s.kernel_height),   to_int(s.kernel_width),
          to_int(s.stride_height), to_int(s.stride_width),    to_int(s.pad_height),
          to_int(s.pad_width),     to_int(s.dilation_height), to_int(s.dilation_width),
          to_int(s.out_pixels())};
}

}  // namespace xnorbench::cuda
