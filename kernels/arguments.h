// The arguments of the kernels. C++17 and plain data: nvcc compiles it for the device, g++ for the
// host. All pointers are the device's. Tensors are channels-last. Every count of elements fits an
// int; the callers check that.
#pragma once

#include <cstdint>

namespace xnorbench::cuda {

/// A float tensor, perhaps a slice of a wider one: pixel p starts at data + p * stride.
struct TensorArguments {
  float* data;
  int stride;
};
struct ConstTensorArguments {
  const float* data;  ///< null: absent
  int stride;
};

/// y = fl(fl(x * scale[c]) + shift[c]); null: the identity.
struct AffineArguments {
  const float* scale;
  const float* shift;
};

/// PackedFormat of core/packed_input.h: bits (64-bit words, each group on a word of its own), or
/// floats.
struct PackedArguments {
  std::uint64_t* bits;  ///< null: floats
  float* floats;
  int channels, group_channels, words_per_group, words_per_pixel;
  float plus, minus;  ///< the floats that stand for +1 and -1
};

/// The window of a convolution and the tensors at its ends.
struct WindowArguments {
  int in_height, in_width, out_height, out_width;
  int kernel_height, kernel_width, stride_height, stride_width, pad_height, pad_width,
      dilation_height, dilation_width;
  int out_pixels;  ///< N * H * W
};

/// The epilogue of sums (core/epilogue.h). An output whose pointer is null is not wanted.
struct EpilogueArguments {
  int channels;
  void* sums;  ///< dense, int or float
  // value = fl(fl(alpha[c] * sum) + bias[c]), bias null: zeros, then fl(value + addend)
  const float* alpha;
  const float* bias;
  TensorArguments values;
  ConstTensorArguments addend;
  // +1 iff (sum ^ flip[c]) >= limit[c]
  const int* limit;
  const int* flip;
  PackedArguments signs;
};

/// A binary convolution on packed bits. Shared memory takes the weights in tiles of `channel_tile`
/// channels and steps of `step_words` words. They are padded with zeros to multiples of both.
struct XnorArguments {
  WindowArguments window;
  int groups;
  int words;            ///< 64-bit words of one pixel and group
  int group_channels;   ///< output channels of a group
  int padded_channels;  ///< rounded up to channel_tile
  /// Words of a weight row: kernel_height * kernel_width * words, rounded up to step_words.
  int padded_words;
  int k;  ///< kernel_height * kernel_width * input channels of the group
  const std::uint64_t* source;
  const std::uint64_t* weights;  ///< group, channel (padded), word (padded)
  /// The words of a tap outside the tensor, and its last one, whose unused bits are 0.
  std::uint64_t pad_word, pad_last_word;
  /// Null unless the padding is a true 0. Taps, groups, channels (padded): for a tap outside the
  /// tensor, the difference to a sum that was computed with +1 there.
  const int* correction;
};
constexpr int channel_tile = 64;
constexpr int step_words = 8;

/// A float convolution by the plain loop.
struct DirectArguments {
  WindowArguments window;
  int in_channels, out_channels, group_in_channels, group_out_channels;
  float pad;  ///< the value outside the tensor
  const float* source;
  const float* weights;  ///< tap, input channel of the group, output channel
  float* sums;           ///< pixel, output channel
};

struct Im2colArguments {
  WindowArguments window;
  int in_channels, first_channel, channels;  ///< the group's channels
  int first_pixel, pixels;                   ///< the band of output pixels
  float pad;
  const float* source;
  float* columns;  ///< pixel, tap, channel
};

struct PoolArguments {
  int in_height, in_width, out_height, out_width, channels, out_pixels;
  int size, stride, pad_before;
  ConstTensorArguments a;
  TensorArguments out;
};

}  // namespace xnorbench::cuda
