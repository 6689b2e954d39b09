// The epilogue of sums that lie in memory: a library's, and our own if the convolution's kernel
// cannot pack their signs.
#include "kernels/epilogue.cuh"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int block_threads = 256;

struct IntegerSums {
  const int* data;
  __device__ int operator()(int index, int) const { return data[index]; }
};

/// Exact integers in floats. A sum of -0.0 becomes 0.
struct FloatSums {
  const float* data;
  const float* offset;
  __device__ int operator()(int index, int channel) const {
    const float sum = offset ? __fadd_rn(data[index], offset[channel]) : data[index];
    return static_cast<int>(sum);
  }
};

/// Values, and signs as floats, one element a thread.
template <typename Sums>
__global__ void epilogue_elements(Sums sums, EpilogueArguments e, int count) {
  const int index = global_thread();
  if (index >= count) return;
  const int pixel = index / e.channels;
  const int channel = index % e.channels;
  const int sum = sums(index, channel);
  if (e.signs.floats)
    e.signs.floats[index] = sum_is_negative(e, sum, channel) ? e.signs.minus : e.signs.plus;
  if (e.values.data) write_value(e, sum, pixel, channel);
}

/// Signs as bits. A warp makes one word.
template <typename Sums>
__global__ void epilogue_bits(Sums sums, EpilogueArguments e, int words) {
  const int word = global_warp();
  if (word >= words) return;  // whole warps
  const int lane = static_cast<int>(threadIdx.x % 32);
  const PackedWord place(e.signs, word);
  const int pixel = place.pixel;
  const int first = place.first;
  const int end = place.end;
  auto negative = [&](int channel) {
    return channel < end &&
           sum_is_negative(e, sums(pixel * e.channels + channel, channel), channel);
  };
  const unsigned low = __ballot_sync(0xffffffffU, negative(first + lane));
  const unsigned high = __ballot_sync(0xffffffffU, negative(first + 32 + lane));
  if (lane == 0) e.signs.bits[word] = static_cast<std::uint64_t>(high) << 32 | low;
}

template <typename Sums>
void launch_for(const Sums& sums, int pixels, const EpilogueArguments& e, Stream stream) {
  if (e.signs.bits) {
    const int words = pixels * e.signs.words_per_pixel;
    launch(epilogue_bits<Sums>, dim3(blocks_for(32LL * words, block_threads)), dim3(block_threads),
           stream, sums, e, words);
    check_launch("epilogue_bits");
  }
  if (e.signs.floats || e.values.data) {
    const int count = pixels * e.channels;
    launch(epilogue_elements<Sums>, dim3(blocks_for(count, block_threads)), dim3(block_threads),
           stream, sums, e, count);
    check_launch("epilogue_elements");
  }
}

}  // namespace

void launch_epilogue(const int* sums, int pixels, const EpilogueArguments& e, Stream stream) {
  launch_for(IntegerSums{sums}, pixels, e, stream);
}

void launch_epilogue(const float* sums, const float* offset, int pixels, const EpilogueArguments& e,
                     Stream stream) {
  launch_for(FloatSums{sums, offset}, pixels, e, stream);
}

}  // namespace xnorbench::cuda
