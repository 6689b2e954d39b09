#include "cpu/bit_convolution.h"

#include <omp.h>

#include <algorithm>

#include "core/sign.h"
#include "core/window.h"

namespace xnorbench {
namespace {

// Rows and sums of a tile together: a 32 KiB L1 data cache less one block of weights.
constexpr std::int64_t tile_bytes = std::int64_t{24} << 10;
constexpr std::int64_t largest_tile = 64;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

Support BitImplementation::available(const Machine& machine) const {
  if (extension_.empty() || machine.has(extension_)) return {};
  return Support::unavailable("this processor has no " + extension_);
}

PackedFormat BitImplementation::source_format(const ConvProblem& problem) const {
  return packed_format(problem);
}

std::unique_ptr<Plan> BitImplementation::prepare(const ConvProblem& problem, const Weights& weights,
                                                 Context& context) const {
  return std::make_unique<BitConvolutionPlan>(kernel_, source_format(problem), problem, weights,
                                              context);
}

BitConvolutionPlan::BitConvolutionPlan(const BitKernel& kernel, const PackedFormat& format,
                                       const ConvProblem& problem, const Weights& weights,
                                       Context& context)
    : kernel_(kernel),
      problem_(problem),
      format_(format),
      threads_(context.cpu.threads),
      out_height_(problem.shape.out_height()),
      out_width_(problem.shape.out_width()),
      zero_padding_(problem, weights.values, context.ledger),
      epilogue_(problem, weights.epilogue, SumType::i32, context.ledger, context.cpu.isa) {
  const ConvShape& s = problem.shape;
  words_ = s.taps() * format_.words_per_group();
  blocks_ = (s.group_out_channels() + kernel_.block_channels - 1) / kernel_.block_channels;
  const std::int64_t pixel_bytes = words_ * 8 + s.out_channels * 4;
  // Also a small tensor is divided among all threads.
  const std::int64_t share = (s.out_pixels() + threads_ - 1) / threads_;
  tile_pixels_ =
      round_up(std::clamp<std::int64_t>(tile_bytes / pixel_bytes, 1, std::min(largest_tile, share)),
               kernel_.block_pixels);
  pad_words_ = padding_words(format_, problem.pad_value);

  const std::int64_t packed_words = s.groups * blocks_ * words_ * kernel_.block_channels;
  packed_ = context.ledger.allocate(Category::weights_packed,
                                    static_cast<std::size_t>(packed_words) * 8, "packed weights");
  pack_weights(weights.values);
}

void BitConvolutionPlan::pack_weights(std::span<const float> values) {
  const ConvShape& s = problem_.shape;
  const std::int64_t channels = s.group_in_channels();
  auto* const packed = packed_.as<std::uint64_t>();
  for (std::int64_t o = 0; o < s.out_channels; ++o) {
    const std::int64_t group = o / s.group_out_channels();
    const std::int64_t within = o % s.group_out_channels();
    const std::int64_t block = group * blocks_ + within / kernel_.block_channels;
    std::uint64_t* const column =
        packed + block * words_ * kernel_.block_channels + within % kernel_.block_channels;
    for (std::int64_t tap = 0; tap < s.taps(); ++tap)
      for (std::int64_t c = 0; c < channels; ++c) {
        const float w = values[static_cast<std::size_t>((o * channels + c) * s.taps() + tap)];
        const std::int64_t word = tap * format_.words_per_group() + c / 64;
        column[word * kernel_.block_channels] |=
            static_cast<std::uint64_t>(is_negative(w, problem_.zero_rule)) << (c % 64);
      }
  }
}

std::size_t BitConvolutionPlan::rows_bytes() const {
  return align_up(static_cast<std::size_t>(tile_pixels_ * words_) * 8);
}

MemoryUse BitConvolutionPlan::workspace() const {
  const std::size_t sums_bytes =
      align_up(static_cast<std::size_t>(tile_pixels_ * problem_.shape.out_channels) * 4);
  MemoryUse use;
  use[Category::workspace_columns] = static_cast<std::size_t>(threads_) *
                                     (rows_bytes() + (epilogue_.keeps_sums() ? 0 : sums_bytes));
  return use;
}

void BitConvolutionPlan::run(const void* source, const Output& output, std::byte* workspace) {
  const ConvShape& s = problem_.shape;
  const std::int64_t pixels = s.out_pixels();
  const std::int64_t tiles = (pixels + tile_pixels_ - 1) / tile_pixels_;
  const std::size_t thread_bytes = workspace_bytes() / static_cast<std::size_t>(threads_);
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    std::byte* const own =
        workspace + static_cast<std::size_t>(omp_get_thread_num()) * thread_bytes;
    const std::int64_t first = tile * tile_pixels_;
    const std::int64_t count = std::min(tile_pixels_, pixels - first);
    auto* const sums = epilogue_.keeps_sums()
                           ? static_cast<std::int32_t*>(output.sums) + first * s.out_channels
                           : reinterpret_cast<std::int32_t*>(own + rows_bytes());
    run_tile(static_cast<const std::uint64_t*>(source), first, count,
             reinterpret_cast<std::uint64_t*>(own), sums);
    if (!epilogue_.keeps_sums()) epilogue_.apply(sums, first, count, output);
  }
}

void BitConvolutionPlan::run_tile(const std::uint64_t* source, std::int64_t first,
                                  std::int64_t pixels, std::uint64_t* rows,
                                  std::int32_t* sums) const {
  const ConvShape& s = problem_.shape;
  for (std::int64_t group = 0; group < s.groups; ++group) {
    for (std::int64_t p = 0; p < pixels; ++p) gather(source, group, first + p, rows + p * words_);
    for (std::int64_t block = 0; block < blocks_; ++block) {
      const std::int64_t channel = block * kernel_.block_channels;
      kernel_.run({.rows = rows,
                   .pixels = pixels,
                   .block = packed_.as<std::uint64_t>() +
                            (group * blocks_ + block) * words_ * kernel_.block_channels,
                   .words = words_,
                   .k = s.k(),
                   .sums = sums + group * s.group_out_channels() + channel,
                   .sums_stride = s.out_channels,
                   .channels = std::min(kernel_.block_channels, s.group_out_channels() - channel)});
    }
  }
  for (std::int64_t p = 0; zero_padding_ && p < pixels; ++p)
    zero_padding_.correct((first + p) / out_width_ % out_height_, (first + p) % out_width_, 1,
                          sums + p * s.out_channels);
}

void BitConvolutionPlan::gather(const std::uint64_t* source, std::int64_t group, std::int64_t pixel,
                                std::uint64_t* row) const {
  const std::int64_t words = format_.words_per_group();
  const std::int64_t pixel_words = format_.words_per_pixel();
  const std::uint64_t* const base = source + group * words;
  for_each_tap(problem_.shape, out_height_, out_width_, pixel,
               [&](std::int64_t, std::int64_t input) {
                 const std::uint64_t* const from =
                     input < 0 ? pad_words_.data() : base + input * pixel_words;
                 // A few words: a call to memcpy would cost more than the copy.
                 for (std::int64_t word = 0; word < words; ++word) row[word] = from[word];
                 row += words;
               });
}

}  // namespace xnorbench
