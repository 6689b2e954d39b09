// Binary convolution by XOR and POPC: the product of two bit matrices. The rows of the left one are
// the bits under the window of each output pixel. It is never written, but gathered as it is read.
//
// A block computes `pixel_tile` output pixels by 64 output channels. It goes through K in steps of
// 8 words (512 bits). Its threads fetch a tile of either side by loads of 128 bits into one of two
// buffers in shared memory while they compute from the other. A thread owns 4 pixels by 4 channels.
// From eight 128-bit loads of shared memory it computes 64 POPC. This instruction bounds the
// kernel: a multiprocessor runs 16 POPC a clock, and 64 LOP3. The sums then go through the epilogue
// in registers.
//
// Padding. Taps outside the tensor are gathered as words of the pad value. A true 0 has no word. It
// is gathered as +1, and border pixels correct their sums (`correction`), so that the inner loop
// has no masks.
#include "kernels/epilogue.cuh"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

constexpr int thread_tile = 4;  // pixels, and channels, of a thread
// Threads side by side along the channels: half a warp.
constexpr int row_threads = channel_tile / thread_tile;
constexpr int step_vectors = step_words / 2;   // 128-bit vectors of a row in one step
constexpr int row_vectors = step_vectors + 1;  // one more keeps eight rows on different banks

/// The place in the window, and in the tensor, where a thread reads the left matrix: one output
/// pixel, word by word.
struct WindowReader {
  const XnorArguments& c;
  WindowPlace place;
  int group_word;
  int kernel_y, kernel_x, word;
  bool inside_output;

  __device__ WindowReader(const XnorArguments& convolution, int pixel, int group, int first_word)
      : c(convolution),
        place(convolution.window, pixel),
        group_word(group * convolution.words),
        kernel_y(0),
        kernel_x(0),
        word(0) {
    const WindowArguments& w = c.window;
    inside_output = pixel < w.out_pixels;
    advance(first_word);
  }

  __device__ void advance(int words) {
    word += words;
    while (word >= c.words) {
      word -= c.words;
      if (++kernel_x == c.window.kernel_width) {
        kernel_x = 0;
        ++kernel_y;
      }
    }
  }

  /// The address of the word here, or null outside the tensor.
  __device__ const std::uint64_t* address() const {
    const WindowArguments& w = c.window;
    const int y = place.top + kernel_y * w.dilation_height;
    const int x = place.left + kernel_x * w.dilation_width;
    const bool inside = y >= 0 && y < w.in_height && x >= 0 && x < w.in_width;
    if (!inside) return nullptr;
    return c.source + ((place.image_row + y) * w.in_width + x) * (c.groups * c.words) + group_word +
           word;
  }
  /// Whether this is beyond the last tap, or of a pixel that does not exist. Both sides are zeros
  /// there, which add nothing.
  __device__ bool is_void() const { return !inside_output || kernel_y >= c.window.kernel_height; }

  __device__ std::uint64_t pad(int of_word) const {
    return of_word == c.words - 1 ? c.pad_last_word : c.pad_word;
  }

  __device__ std::uint64_t read_word() const {
    if (is_void()) return 0;
    const std::uint64_t* const from = address();
    return from ? *from : pad(word);
  }
};

__device__ uint4 to_vector(std::uint64_t first, std::uint64_t second) {
  return {static_cast<unsigned>(first), static_cast<unsigned>(first >> 32),
          static_cast<unsigned>(second), static_cast<unsigned>(second >> 32)};
}

/// Reads two words and moves on to the next step. `even`: a pixel has an even number of words, so
/// that both lie in one tap and on a 16-byte boundary.
template <bool even>
__device__ uint4 read_vector(WindowReader& reader) {
  if (even) {
    uint4 vector{0, 0, 0, 0};
    if (!reader.is_void()) {
      const std::uint64_t* const from = reader.address();
      vector = from ? *reinterpret_cast<const uint4*>(from)
                    : to_vector(reader.pad(reader.word), reader.pad(reader.word + 1));
    }
    reader.advance(step_words);
    return vector;
  }
  const std::uint64_t first = reader.read_word();
  reader.advance(1);
  const std::uint64_t second = reader.read_word();
  reader.advance(step_words - 1);
  return to_vector(first, second);
}

__device__ int count_differences(uint4 a, uint4 b) {
  return __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
}

/// Corrects the sums of four channels, `row_threads` apart from `channel` on, for the taps of
/// `pixel` outside the tensor.
__device__ void add_correction(const XnorArguments& c, int pixel, int group, int channel,
                               int (&sums)[thread_tile]) {
  const WindowArguments& w = c.window;
  const WindowPlace place(w, pixel);
  const bool whole = place.top >= 0 && place.left >= 0 &&
                     place.top + (w.kernel_height - 1) * w.dilation_height < w.in_height &&
                     place.left + (w.kernel_width - 1) * w.dilation_width < w.in_width;
  if (whole) return;
  for (int ky = 0; ky < w.kernel_height; ++ky) {
    const int y = place.top + ky * w.dilation_height;
    for (int kx = 0; kx < w.kernel_width; ++kx) {
      const int x = place.left + kx * w.dilation_width;
      if (y >= 0 && y < w.in_height && x >= 0 && x < w.in_width) continue;
      const int* const of_tap =
          c.correction + ((ky * w.kernel_width + kx) * c.groups + group) * c.padded_channels +
          channel;
      for (int j = 0; j < thread_tile; ++j) sums[j] += of_tap[j * row_threads];
    }
  }
}

/// The epilogue of one pixel of a block, four channels a thread. All lanes of a warp come here:
/// half a warp has the 64 channels of one pixel. `existing`: channels of the group from the block's
/// first on, which may be fewer than 64.
__device__ void finish_pixel(const EpilogueArguments& e, int pixel, bool pixel_exists,
                             int first_channel, int existing, const int (&sums)[thread_tile]) {
  const int lane = static_cast<int>(threadIdx.x) % row_threads;
  const unsigned half = threadIdx.x % 32 / row_threads;
  std::uint64_t word = 0;
  for (int j = 0; j < thread_tile; ++j) {
    const int of_tile = lane + j * row_threads;
    const bool exists = pixel_exists && of_tile < existing;
    const int channel = first_channel + of_tile;
    if (exists && e.sums) static_cast<int*>(e.sums)[pixel * e.channels + channel] = sums[j];
    if (exists && e.values.data) write_value(e, sums[j], pixel, channel);
    if (e.signs.bits) {
      const unsigned both =
          __ballot_sync(0xffffffffU, exists && sum_is_negative(e, sums[j], channel));
      word |= static_cast<std::uint64_t>(both >> (half * row_threads) & 0xffffU)
              << (j * row_threads);
    }
  }
  if (e.signs.bits && lane == 0 && pixel_exists)
    e.signs.bits[pixel * e.signs.words_per_pixel + first_channel / channel_tile] = word;
}

/// Adds the differences of one step of K. The thread's pixels are side by side from `first_row` on,
/// its channels `row_threads` apart from `lane` on.
template <int left_rows>
__device__ void count_step(const uint4 (&left_tile)[left_rows][row_vectors],
                           const uint4 (&right_tile)[channel_tile][row_vectors], int first_row,
                           int lane, int (&differences)[thread_tile][thread_tile]) {
  for (int v = 0; v < step_vectors; ++v) {
    uint4 a[thread_tile], b[thread_tile];
    for (int i = 0; i < thread_tile; ++i) a[i] = left_tile[first_row + i][v];
    for (int j = 0; j < thread_tile; ++j) b[j] = right_tile[lane + j * row_threads][v];
    for (int i = 0; i < thread_tile; ++i)
      for (int j = 0; j < thread_tile; ++j) differences[i][j] += count_differences(a[i], b[j]);
  }
}

/// The epilogue of a thread's pixels, side by side from `first_pixel` on. `first_channel`: the
/// block's, counted within the group.
__device__ void finish_tile(const XnorArguments& c, const EpilogueArguments& e, int group,
                            int first_channel, int first_pixel,
                            const int (&differences)[thread_tile][thread_tile]) {
  const int lane = static_cast<int>(threadIdx.x) % row_threads;
  const int existing = c.group_channels - first_channel;
  for (int i = 0; i < thread_tile; ++i) {
    const int pixel = first_pixel + i;
    const bool pixel_exists = pixel < c.window.out_pixels;
    int sums[thread_tile];
    for (int j = 0; j < thread_tile; ++j) sums[j] = c.k - 2 * differences[i][j];
    if (c.correction && pixel_exists) add_correction(c, pixel, group, first_channel + lane, sums);
    finish_pixel(e, pixel, pixel_exists, group * c.group_channels + first_channel, existing, sums);
  }
}

template <int pixel_tile, bool even>
__global__ void __launch_bounds__(pixel_tile* row_threads / thread_tile)
    xnor_convolution(XnorArguments c, EpilogueArguments e) {
  constexpr int threads = pixel_tile * row_threads / thread_tile;
  constexpr int weight_vectors = channel_tile * step_vectors / threads;  // of a thread, a step
  static_assert(pixel_tile * step_vectors == threads,
                "each thread fetches one vector of the left side");
  XNORBENCH_SHARED(uint4, left_tile, [2][pixel_tile][row_vectors]);
  XNORBENCH_SHARED(uint4, right_tile, [2][channel_tile][row_vectors]);

  const int thread = static_cast<int>(threadIdx.x);
  const int first_pixel = static_cast<int>(blockIdx.x) * pixel_tile;
  const int first_channel = static_cast<int>(blockIdx.y) * channel_tile;  // within the group
  const int group = static_cast<int>(blockIdx.z);
  const int fetch_row = thread / step_vectors;
  const int fetch_vector = thread % step_vectors;
  WindowReader reader(c, first_pixel + fetch_row, group, 2 * fetch_vector);
  const std::uint64_t* weight_row =
      c.weights +
      static_cast<std::size_t>(group * c.padded_channels + first_channel + fetch_row) *
          static_cast<std::size_t>(c.padded_words) +
      2 * fetch_vector;
  const std::size_t weight_stride =
      static_cast<std::size_t>(c.padded_words) * (threads / step_vectors);

  uint4 left{};
  uint4 right[weight_vectors] = {};
  auto fetch = [&] {
    left = read_vector<even>(reader);
    for (int i = 0; i < weight_vectors; ++i)
      right[i] =
          *reinterpret_cast<const uint4*>(weight_row + static_cast<std::size_t>(i) * weight_stride);
    weight_row += step_words;
  };
  auto store = [&](int buffer) {
    left_tile[buffer][fetch_row][fetch_vector] = left;
    for (int i = 0; i < weight_vectors; ++i)
      right_tile[buffer][fetch_row + i * (threads / step_vectors)][fetch_vector] = right[i];
  };

  const int lane = thread % row_threads;
  const int own_row = thread / row_threads * thread_tile;
  int differences[thread_tile][thread_tile] = {};
  const int steps = c.padded_words / step_words;
  fetch();
  store(0);
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int buffer = step % 2;
    const bool last = step + 1 == steps;
    if (!last) fetch();
    count_step(left_tile[buffer], right_tile[buffer], own_row, lane, differences);
    if (!last) store(1 - buffer);
    __syncthreads();
  }

  finish_tile(c, e, group, first_channel, first_pixel + own_row, differences);
}

template <int pixel_tile, bool even>
void launch_for(const XnorArguments& c, const EpilogueArguments& e, Stream stream) {
  const dim3 grid(blocks_for(c.window.out_pixels, pixel_tile),
                  static_cast<unsigned>(c.padded_channels / channel_tile),
                  static_cast<unsigned>(c.groups));
  launch(xnor_convolution<pixel_tile, even>, grid, dim3(pixel_tile * row_threads / thread_tile),
         stream, c, e);
  check_launch("xnor_convolution");
}

}  // namespace

void launch_xnor_convolution(const XnorArguments& c, const EpilogueArguments& e, int pixel_tile,
                             Stream stream) {
  const bool even = c.words % 2 == 0;
  if (pixel_tile == 64)
    even ? launch_for<64, true>(c, e, stream) : launch_for<64, false>(c, e, stream);
  else
    even ? launch_for<16, true>(c, e, stream) : launch_for<16, false>(c, e, stream);
}

}  // namespace xnorbench::cuda
