#include "core/epilogue.h"

#include <algorithm>
#include <limits>

namespace xnorbench {
namespace {

template <typename T>
Buffer store(const std::vector<T>& values, Ledger& ledger) {
  if (values.empty()) return {};
  return ledger.store<T>(Category::parameters, values, "layer parameters");
}

/// A field of the thresholds as an array; the constants that no sum reaches stay such.
template <typename Limit>
Buffer store_field(const std::vector<SumThreshold>& thresholds, std::int32_t SumThreshold::*field, Ledger& ledger) {
  std::vector<Limit> values(thresholds.size());
  std::transform(thresholds.begin(), thresholds.end(), values.begin(), [field](const SumThreshold& t) {
    return static_cast<Limit>(std::clamp<std::int32_t>(t.*field, std::numeric_limits<Limit>::min(),
                                                       std::numeric_limits<Limit>::max()));
  });
  return store(values, ledger);
}

}  // namespace

std::size_t size_of(SumType type) {
  return type == SumType::i16 ? sizeof(std::int16_t) : type == SumType::i32 ? sizeof(std::int32_t) : sizeof(float);
}

Epilogue::Epilogue(const ConvProblem& problem, const EpilogueParameters& parameters, SumType sums, Ledger& ledger,
                   Isa isa)
    : destination_(problem.destination),
      channels_(problem.shape.out_channels),
      next_(parameters.next),
      loops_(row_loops(isa)) {
  if (has_values(destination_)) {
    alpha_ = store(parameters.alpha, ledger);
    bias_ = store(parameters.bias.empty() ? std::vector<float>(parameters.alpha.size()) : parameters.bias, ledger);
  }
  if (has_signs(destination_)) {
    const auto store_as = sums == SumType::i16 ? store_field<std::int16_t> : store_field<std::int32_t>;
    limit_ = store_as(parameters.thresholds, &SumThreshold::limit, ledger);
    flip_ = store_as(parameters.thresholds, &SumThreshold::flip, ledger);
  }
}

template <typename Sum, typename Limit>
void Epilogue::write_values(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t pixel,
                            const Output& output) const {
  const float* const addend =
      output.addend.data ? output.addend.data + pixel * output.addend.stride : nullptr;
  float* const values = output.values.data + pixel * output.values.stride;
  loops.values(channels_, sums, alpha_.as<float>(), bias_.as<float>(), addend, values);
  for (const SignTarget& target : output.value_signs) xnorbench::write_signs(loops_, target, pixel, channels_, values);
}

template <typename Sum, typename Limit>
void Epilogue::write_signs(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t pixel,
                           const Output& output) const {
  const ThresholdView<Limit> thresholds{limit_.as<Limit>(), flip_.as<Limit>()};
  switch (next_.form) {
    case OperandForm::bits: {
      auto* words = static_cast<std::uint64_t*>(output.signs) + pixel * next_.words_per_pixel();
      const std::int64_t channels = next_.group_channels();
      for (std::int64_t first = 0; first < channels_; first += channels, words += next_.words_per_group())
        loops.bits(channels, sums + first, {thresholds.limit + first, thresholds.flip + first}, words);
      break;
    }
    case OperandForm::f32:
      loops.floats(channels_, sums, thresholds, 1.0F - next_.offset, -1.0F - next_.offset,
                   static_cast<float*>(output.signs) + pixel * channels_);
      break;
    case OperandForm::u8:
      loops.bytes(channels_, sums, thresholds, next_.plus, next_.minus,
                  static_cast<std::uint8_t*>(output.signs) + pixel * channels_);
      break;
  }
}

template <typename Sum, typename Limit>
void Epilogue::apply_tile(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t first_pixel,
                          std::int64_t pixels, const Output& output) const {
  for (std::int64_t i = 0; i < pixels; ++i, sums += channels_) {
    if (has_signs(destination_)) write_signs(loops, sums, first_pixel + i, output);
    if (has_values(destination_)) write_values(loops, sums, first_pixel + i, output);
  }
}

void Epilogue::apply(const std::int16_t* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(loops_.i16, sums, first_pixel, pixels, output);
}

void Epilogue::apply(const std::int32_t* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(loops_.i32, sums, first_pixel, pixels, output);
}

void Epilogue::apply(const float* sums, std::int64_t first_pixel, std::int64_t pixels, const Output& output) const {
  apply_tile(loops_.f32, sums, first_pixel, pixels, output);
}

}  // namespace xnorbench
