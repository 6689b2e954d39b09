// cuda_xnor_popc: XOR and POPC on packed bits (xnor_convolution.cu).
#include "core/cuda_module.h"
#include "core/sign.h"
#include "kernels/convert.h"
#include "kernels/cuda_device.h"
#include "kernels/device_epilogue.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

std::int64_t round_up(std::int64_t count, std::int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// Sizes of the packed weights.
struct Padded {
  std::int64_t words, channels, row_words;

  explicit Padded(const ConvShape& s)
      : words((s.group_in_channels() + 63) / 64),
        channels(round_up(s.group_out_channels(), channel_tile)),
        row_words(round_up(s.taps() * words, step_words)) {}
};

/// Group, channel, word. The words are those of tap after tap, as in the packed activations.
std::vector<std::uint64_t> pack_weights(const ConvProblem& problem, std::span<const float> oihw) {
  const ConvShape& s = problem.shape;
  const Padded padded(s);
  std::vector<std::uint64_t> packed(
      static_cast<std::size_t>(s.groups * padded.channels * padded.row_words));
  std::size_t index = 0;
  for (std::int64_t o = 0; o < s.out_channels; ++o) {
    const std::int64_t row =
        o / s.group_out_channels() * padded.channels + o % s.group_out_channels();
    for (std::int64_t c = 0; c < s.group_in_channels(); ++c)
      for (std::int64_t tap = 0; tap < s.taps(); ++tap, ++index) {
        if (!is_negative(oihw[index], problem.zero_rule)) continue;
        const std::int64_t word = row * padded.row_words + tap * padded.words + c / 64;
        packed[static_cast<std::size_t>(word)] |= std::uint64_t{1} << (c % 64);
      }
  }
  return packed;
}

/// For true zero padding. A tap outside the tensor was computed as +1 against w, which added
/// C - 2 * pop(w).
std::vector<int> zero_pad_correction(const ConvShape& s, const std::vector<std::uint64_t>& packed) {
  const Padded padded(s);
  std::vector<int> correction(static_cast<std::size_t>(s.taps() * s.groups * padded.channels));
  for (std::int64_t tap = 0; tap < s.taps(); ++tap)
    for (std::int64_t row = 0; row < s.groups * padded.channels; ++row) {
      int population = 0;
      for (std::int64_t word = 0; word < padded.words; ++word)
        population += __builtin_popcountll(
            packed[static_cast<std::size_t>(row * padded.row_words + tap * padded.words + word)]);
      correction[static_cast<std::size_t>(tap * s.groups * padded.channels + row)] =
          2 * population - static_cast<int>(s.group_in_channels());
    }
  return correction;
}

class PopcPlan final : public Plan {
 public:
  PopcPlan(const ConvProblem& problem, const Weights& weights, Context& context)
      : device_(cuda_device(context.ledger.device())),
        output_count_(problem.shape.output_count()),
        epilogue_(problem, weights.epilogue, context.ledger),
        is_fused_(epilogue_.is_tile_aligned(problem.shape.groups)) {
    const ConvShape& s = problem.shape;
    const std::vector<std::uint64_t> packed = pack_weights(problem, weights.values);
    weights_ =
        context.ledger.store<std::uint64_t>(Category::weights_packed, packed, "packed weights");
    const bool is_padded = s.pad_height > 0 || s.pad_width > 0;
    if (problem.pad_value == PadValue::zero && is_padded)
      correction_ = context.ledger.store<int>(Category::parameters, zero_pad_correction(s, packed),
                                              "padding correction");
    const Padded padded(s);
    arguments_.window = window_of(s);
    arguments_.groups = to_int(s.groups);
    arguments_.words = to_int(padded.words);
    arguments_.group_channels = to_int(s.group_out_channels());
    arguments_.padded_channels = to_int(padded.channels);
    arguments_.padded_words = to_int(padded.row_words);
    arguments_.k = to_int(s.k());
    arguments_.weights = weights_.as<std::uint64_t>();
    arguments_.correction = correction_.as<int>();
    if (problem.pad_value == PadValue::minus_one) {
      const std::int64_t tail = s.group_in_channels() % 64;
      arguments_.pad_word = ~std::uint64_t{0};
      arguments_.pad_last_word = tail == 0 ? arguments_.pad_word : (std::uint64_t{1} << tail) - 1;
    }
    // Large tiles read less memory. Small tiles keep more multiprocessors busy if there are few
    // pixels.
    constexpr int large = 64, small = 16, blocks_a_multiprocessor = 2;
    const std::int64_t blocks =
        round_up(s.out_pixels(), large) / large * (padded.channels / channel_tile) * s.groups;
    pixel_tile_ = blocks >= blocks_a_multiprocessor * device_.multiprocessors() ? large : small;
  }

  KernelName kernel() const override { return {device_.isa(), ""}; }
  SumType sum_type() const override { return SumType::i32; }
  MemoryUse workspace() const override {
    if (is_fused_) return {};
    return {Category::workspace_columns, static_cast<std::size_t>(output_count_) * sizeof(int)};
  }

  void run(const void* source, const Output& output, std::byte* workspace) override {
    XnorArguments arguments = arguments_;
    arguments.source = static_cast<const std::uint64_t*>(source);
    const EpilogueArguments epilogue = epilogue_.arguments(output);
    if (is_fused_)
      return launch_xnor_convolution(arguments, epilogue, pixel_tile_, device_.stream());
    EpilogueArguments sums_only{};
    sums_only.channels = epilogue.channels;
    sums_only.sums = workspace;
    launch_xnor_convolution(arguments, sums_only, pixel_tile_, device_.stream());
    launch_epilogue(reinterpret_cast<const int*>(workspace), arguments.window.out_pixels, epilogue,
                    device_.stream());
  }

 private:
  CudaDevice& device_;
  std::int64_t output_count_;
  DeviceEpilogue epilogue_;
  bool is_fused_;  ///< otherwise the sums go through memory
  Buffer weights_, correction_;
  XnorArguments arguments_{};
  int pixel_tile_ = 0;
};

class Popc final : public CudaImplementation {
 public:
  Support supports(const ConvProblem& problem, Device&) const override {
    return counts_fit(problem.shape);
  }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return packed_format(problem);
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<PopcPlan>(problem, weights, context);
  }
};

}  // namespace

const CudaImplementation& cuda_xnor_popc() {
  static const Popc implementation;
  return implementation;
}

}  // namespace xnorbench::cuda
