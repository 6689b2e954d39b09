// The sign pass: packs sign(affine(x)) of a float tensor x.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

struct SignSource {
  ConstTensorArguments tensor;
  AffineArguments affine;
  bool zero_is_plus;

  __device__ bool negative(int pixel, int channel) const {
    return is_negative(apply_affine(tensor.data[pixel * tensor.stride + channel], affine, channel),
                       zero_is_plus);
  }
};

/// A warp makes one word by two ballots of 32 channels; its loads are contiguous.
__global__ void sign_bits(PackedArguments packed_input, SignSource source, int words) {
  const int word = global_warp();
  if (word >= words) return;  // whole warps
  const int lane = static_cast<int>(threadIdx.x % 32);
  const PackedWord place(packed_input, word);
  const int pixel = place.pixel;
  const int end = place.end;
  const int low = place.first + lane;
  const int high = low + 32;
  const unsigned low_bits = __ballot_sync(0xffffffffU, low < end && source.negative(pixel, low));
  const unsigned high_bits = __ballot_sync(0xffffffffU, high < end && source.negative(pixel, high));
  if (lane == 0) packed_input.bits[word] = static_cast<std::uint64_t>(high_bits) << 32 | low_bits;
}

__global__ void sign_floats(PackedArguments packed_input, SignSource source, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const bool negative =
      source.negative(index / packed_input.channels, index % packed_input.channels);
  packed_input.floats[index] = negative ? packed_input.minus : packed_input.plus;
}

}  // namespace

void launch_sign_pass(const PackedArguments& packed_input, bool zero_is_plus, int pixels,
                      const ConstTensorArguments& tensor, const AffineArguments& affine,
                      Stream stream) {
  const SignSource source{tensor, affine, zero_is_plus};
  if (packed_input.bits) {
    const int words = pixels * packed_input.words_per_pixel;
    launch(sign_bits, dim3(blocks_for(32LL * words, block_threads)), dim3(block_threads), stream,
           packed_input, source, words);
    check_launch("sign_bits");
  } else {
    const int count = pixels * packed_input.channels;
    launch(sign_floats, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream,
           packed_input, source, count);
    check_launch("sign_floats");
  }
}

}  // namespace xnorbench::cuda
