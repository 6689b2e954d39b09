// cpu_xnor_bnntorch: the algorithm of bnn.torch (Bulat & Tzimiropoulos), rebuilt from its
// description. Activations stay floats of +1 and -1. Each layer copies the window of every output
// pixel of an image into a float im2col buffer, packs its rows along K into words of 32 bits, and
// takes XOR and popcount with weights that are packed the same way. Images of a batch come one
// after another, so that one buffer serves all. It shows what a layer costs in memory when only its
// weights are binary. Unlike the original it is right if K is not a multiple of 32.
//
// A row of the buffers is one output pixel; within it K runs over taps, then channels. The original
// has both the other way around, in the same number of bytes.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "core/implementation.h"
#include "core/sign.h"
#include "core/window.h"
#include "cpu/bounds.h"
#include "cpu/zero_padding.h"

namespace xnorbench {
namespace {

constexpr std::int64_t word_bits = 32;
constexpr std::int64_t tile_pixels = 8;  // whose sums wait for the epilogue

/// By masks: the compiler makes vectors of several words.
std::uint32_t popcount(std::uint32_t x) {
  x -= x >> 1 & 0x55555555U;
  x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0FU;
  x += x >> 8;
  return (x + (x >> 16)) & 0x3FU;
}

/// Signs to bits, 1 = -1; unused bits of the last word are 0.
void pack(const float* signs, std::int64_t count, std::uint32_t* words) {
  for (std::int64_t first = 0; first < count; first += word_bits) {
    std::uint32_t word = 0;
    for (std::int64_t i = first; i < std::min(first + word_bits, count); ++i)
      word |= static_cast<std::uint32_t>(signs[i] < 0.0F) << (i - first);
    *words++ = word;
  }
}

class BnnTorchPlan final : public Plan {
 public:
  BnnTorchPlan(const ConvProblem& problem, const Weights& weights, Context& context)
      : problem_(problem),
        threads_(context.cpu.threads),
        out_height_(problem.shape.out_height()),
        out_width_(problem.shape.out_width()),
        words_((problem.shape.k() + word_bits - 1) / word_bits),
        zero_padding_(problem, weights.values, context.ledger),
        epilogue_(problem, weights.epilogue, SumType::i32, context.ledger, context.cpu.isa) {
    const ConvShape& s = problem.shape;
    packed_ = context.ledger.allocate(
        Category::weights_packed,
        static_cast<std::size_t>(s.out_channels * words_) * sizeof(std::uint32_t),
        "packed weights");
    std::vector<float> signs(static_cast<std::size_t>(s.k()));
    for (std::int64_t o = 0; o < s.out_channels; ++o) {
      for (std::int64_t c = 0; c < s.group_in_channels(); ++c)
        for (std::int64_t tap = 0; tap < s.taps(); ++tap)
          signs[static_cast<std::size_t>(tap * s.group_in_channels() + c)] =
              static_cast<float>(sign_of(weights.values[static_cast<std::size_t>(
                                             (o * s.group_in_channels() + c) * s.taps() + tap)],
                                         problem.zero_rule));
      pack(signs.data(), s.k(), packed_.as<std::uint32_t>() + o * words_);
    }
  }

  KernelName kernel() const override { return {"baseline", ""}; }
  SumType sum_type() const override { return SumType::i32; }
  MemoryUse workspace() const override {
    MemoryUse use;
    use[Category::workspace_columns] = im2col_bytes();
    use[Category::activations_bits] = packed_bytes();
    return use;
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    auto* const rows = reinterpret_cast<float*>(workspace);
    auto* const packed = reinterpret_cast<std::uint32_t*>(workspace + im2col_bytes());
    for (std::int64_t image = 0; image < problem_.shape.batch; ++image) {
      const std::int64_t first = image * image_pixels();
      im2col(static_cast<const float*>(source), first, rows);
      pack_rows(rows, packed);
      multiply(packed, first, output, workspace);  // its sums go over the im2col buffer
    }
  }

 private:
  std::int64_t image_pixels() const { return out_height_ * out_width_; }
  /// Rows of the buffers: output pixels of one image, times groups.
  std::int64_t rows() const { return image_pixels() * problem_.shape.groups; }
  std::size_t im2col_bytes() const {
    const std::size_t values =
        static_cast<std::size_t>(rows() * problem_.shape.k()) * sizeof(float);
    // Once it is packed, the sums take its place.
    return align_up(std::max(values, static_cast<std::size_t>(threads_) * sums_bytes()));
  }
  std::size_t packed_bytes() const {
    return static_cast<std::size_t>(rows() * words_) * sizeof(std::uint32_t);
  }
  std::size_t sums_bytes() const {
    if (epilogue_.keeps_sums()) return 0;
    return align_up(static_cast<std::size_t>(tile_pixels * problem_.shape.out_channels) *
                    sizeof(std::int32_t));
  }

  /// A pad value of zero is copied as +1 and taken back from the sums.
  void im2col(const float* source, std::int64_t first, float* buffer) const {
    const ConvShape& s = problem_.shape;
    const std::int64_t channels = s.group_in_channels();
    const float pad = problem_.pad_value == PadValue::minus_one ? -1.0F : 1.0F;
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (std::int64_t pixel = 0; pixel < image_pixels(); ++pixel)
      for_each_tap(
          s, out_height_, out_width_, first + pixel, [&](std::int64_t tap, std::int64_t input) {
            for (std::int64_t group = 0; group < s.groups; ++group) {
              float* const to = buffer + (pixel * s.groups + group) * s.k() + tap * channels;
              if (input < 0)
                std::fill_n(to, channels, pad);
              else
                std::copy_n(source + input * s.in_channels + group * channels, channels, to);
            }
          });
  }

  void pack_rows(const float* im2col, std::uint32_t* packed) const {
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (std::int64_t row = 0; row < rows(); ++row)
      pack(im2col + row * problem_.shape.k(), problem_.shape.k(), packed + row * words_);
  }

  void multiply(const std::uint32_t* packed, std::int64_t first, const Output& output,
                std::byte* scratch) const {
    const std::int64_t channels = problem_.shape.out_channels;
    const std::int64_t tiles = (image_pixels() + tile_pixels - 1) / tile_pixels;
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      const std::int64_t pixel = tile * tile_pixels;
      const std::int64_t count = std::min(tile_pixels, image_pixels() - pixel);
      auto* const own = reinterpret_cast<std::int32_t*>(
          scratch + static_cast<std::size_t>(omp_get_thread_num()) * sums_bytes());
      auto* const sums = epilogue_.keeps_sums()
                             ? static_cast<std::int32_t*>(output.sums) + (first + pixel) * channels
                             : own;
      for (std::int64_t p = 0; p < count; ++p) sum_pixel(packed, pixel + p, sums + p * channels);
      if (!epilogue_.keeps_sums()) epilogue_.apply(sums, first + pixel, count, output);
    }
  }

  void sum_pixel(const std::uint32_t* packed, std::int64_t pixel, std::int32_t* sums) const {
    const ConvShape& s = problem_.shape;
    for (std::int64_t o = 0; o < s.out_channels; ++o) {
      const std::uint32_t* const a =
          packed + (pixel * s.groups + o / s.group_out_channels()) * words_;
      const std::uint32_t* const w = packed_.as<std::uint32_t>() + o * words_;
      std::uint32_t differing = 0;
      for (std::int64_t i = 0; i < words_; ++i) differing += popcount(a[i] ^ w[i]);
      sums[o] = static_cast<std::int32_t>(s.k() - 2 * static_cast<std::int64_t>(differing));
    }
    if (zero_padding_) zero_padding_.correct(pixel / out_width_, pixel % out_width_, 1, sums);
  }

  ConvProblem problem_;
  int threads_;
  std::int64_t out_height_, out_width_;
  std::int64_t words_;  // of a row
  Buffer packed_;       // output channel x word
  ZeroPadding zero_padding_;
  Epilogue epilogue_;
};

class BnnTorchImplementation final : public Implementation {
 public:
  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine&) const override { return {}; }
  Support supports(const ConvProblem&, const Machine&) const override { return {}; }
  /// Floats of +1 and -1.
  PackedFormat source_format(const ConvProblem& problem) const override {
    return {PackedForm::f32, problem.shape.in_channels};
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<BnnTorchPlan>(problem, weights, context);
  }
  std::optional<double> bound(const CorePeakRates& core) const override {
    return masked_popcount_bound(core);
  }

 private:
  ImplementationInfo info_{"cpu_xnor_bnntorch", "cpu", "xnor",
                           "bnn.torch's way: float im2col, packed along K, then XOR and popcount",
                           "torch"};
};

}  // namespace

const Implementation& cpu_xnor_bnntorch() {
  static const BnnTorchImplementation implementation;
  return implementation;
}

}  // namespace xnorbench
