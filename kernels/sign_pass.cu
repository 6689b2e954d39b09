// The sign pass: a float map through an affine map into an operand.
#include "kernels/device_math.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

struct SignSource {
  ConstMapArguments map;
  AffineArguments affine;
  bool zero_is_plus;

  __device__ bool negative(int pixel, int channel) const {
    return is_negative(apply_affine(map.data[pixel * map.stride + channel], affine, channel), zero_is_plus);
  }
};

/// A warp makes one word by two ballots of 32 channels; its loads are contiguous.
__global__ void sign_bits(OperandArguments operand, SignSource source, int words) {
  const int word = global_warp();
  if (word >= words) return;  // whole warps
  const int lane = static_cast<int>(threadIdx.x % 32);
  const OperandWord place(operand, word);
  const int pixel = place.pixel;
  const int end = place.end;
  const int low = place.first + lane;
  const int high = low + 32;
  const unsigned low_bits = __ballot_sync(0xffffffffU, low < end && source.negative(pixel, low));
  const unsigned high_bits = __ballot_sync(0xffffffffU, high < end && source.negative(pixel, high));
  if (lane == 0) operand.bits[word] = static_cast<std::uint64_t>(high_bits) << 32 | low_bits;
}

__global__ void sign_floats(OperandArguments operand, SignSource source, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const bool negative = source.negative(index / operand.channels, index % operand.channels);
  operand.floats[index] = negative ? operand.minus : operand.plus;
}

}  // namespace

void launch_sign_pass(const OperandArguments& operand, bool zero_is_plus, int pixels, const ConstMapArguments& map,
                      const AffineArguments& affine, Stream stream) {
  const SignSource source{map, affine, zero_is_plus};
  if (operand.bits) {
    const int words = pixels * operand.words_per_pixel;
    launch(sign_bits, dim3(blocks_for(32LL * words, block_threads)), dim3(block_threads), stream, operand, source, words);
    check_launch("sign_bits");
  } else {
    const int count = pixels * operand.channels;
    launch(sign_floats, dim3(blocks_for(count, block_threads)), dim3(block_threads), stream, operand, source, count);
    check_launch("sign_floats");
  }
}

}  // namespace xnorbench::cuda
