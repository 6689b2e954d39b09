#include "core/epilogue.h"

#include <algorithm>
#include <type_traits>

#include "core/pack.h"

namespace xnorbench {
namespace {

template <typename T>
Buffer store(const std::vector<T>& values, Ledger& ledger) {
  if (values.empty()) return {};
  return ledger.store<T>(Category::parameters, values, "layer parameters");
}

template <typename Field>
std::vector<std::int32_t> column(const std::vector<SumThreshold>& thresholds, Field field) {
  std::vector<std::int32_t> values(thresholds.size());
  std::transform(thresholds.begin(), thresholds.end(), values.begin(), field);
  return values;
}

}  // namespace

std::size_t size_of(SumType type) { return type == SumType::i32 ? sizeof(std::int32_t) : sizeof(float); }

Epilogue::Epilogue(const ConvProblem& problem, const EpilogueParameters& parameters, Ledger& ledger)
    : destination_(problem.destination), channels_(problem.shape.out_channels), next_(parameters.next) {
  if (has_values(destination_)) {
    alpha_ = store(parameters.alpha, ledger);
    bias_ = store(parameters.bias.empty() ? std::vector<float>(parameters.alpha.size()) : parameters.bias, ledger);
  }
  if (has_signs(destination_)) {
    limit_ = store(column(parameters.thresholds, [](const SumThreshold& t) { return t.limit; }), ledger);
    flip_ = store(column(parameters.thresholds, [](const SumThreshold& t) { return t.flip; }), ledger);
  }
}

namespace {

// Float sums become integers first: they are exact, and a sum of -0.0 must not survive into a value.
template <typename Sum>
Int32Batch load_sums(const Sum* sums) {
  if constexpr (std::is_same_v<Sum, float>)
    return xsimd::to_int(FloatBatch::load_unaligned(sums));
  else
    return Int32Batch::load_unaligned(sums);
}

}  // namespace

template <typename Sum>
void Epilogue::write_values(const Sum* sums, std::int64_t pixel, const Output& output) const {
  const float* const alpha = alpha_.as<float>();
  const float* const bias = bias_.as<float>();
  float* const values = output.values.data + pixel * output.values.stride;
  auto value = [&](std::int64_t o) { return layer_value(alpha[o], static_cast<std::int32_t>(sums[o]), bias[o]); };
  if (output.addend.data) {
    const float* const addend = output.addend.data + pixel * output.addend.stride;
    if (addend == values) {  // told apart, so that both loops become vectors
      for (std::int64_t o = 0; o < channels_; ++o) values[o] = value(o) + values[o];
    } else {
      for (std::int64_t o = 0; o < channels_; ++o) values[o] = value(o) + addend[o];
    }
  } else {
    for (std::int64_t o = 0; o < channels_; ++o) values[o] = value(o);
  }
}

template <typename Sum>
void Epilogue::write_signs(const Sum* sums, std::int64_t pixel, const Output& output) const {
  const std::int32_t* const limit = limit_.as<std::int32_t>();
  const std::int32_t* const flip = flip_.as<std::int32_t>();
  auto negative = [&](std::int64_t o) { return (static_cast<std::int32_t>(sums[o]) ^ flip[o]) < limit[o]; };
  if (next_.form == OperandForm::bits) {
    auto* words = static_cast<std::uint64_t*>(output.signs) + pixel * next_.words_per_pixel();
    const std::int64_t group_channels = next_.group_channels();
    for (std::int64_t first = 0; first < channels_; first += group_channels, words += next_.words_per_group())
      pack_row(
          group_channels, words,
          [&](std::int64_t c) {
            const std::int64_t o = first + c;
            return to_mask((load_sums(sums + o) ^ Int32Batch::load_unaligned(flip + o)) <
                           Int32Batch::load_unaligned(limit + o));
          },
          [&](std::int64_t c) { return negative(first + c); });
  } else if (next_.form == OperandForm::f32) {
    float* const signs = static_cast<float*>(output.signs) + pixel * channels_;
    const float plus = 1.0F - next_.offset;
    const float minus = -1.0F - next_.offset;
    for (std::int64_t o = 0; o < channels_; ++o) signs[o] = negative(o) ? minus : plus;
  } else {
    auto* const signs = static_cast<std::uint8_t*>(output.signs) + pixel * channels_;
    // Locals: a byte written could be part of a member, and would keep the loop from becoming vectors.
    const std::uint8_t plus = next_.plus, minus = next_.minus;
    for (std::int64_t o = 0, channels = channels_; o < channels; ++o) signs[o] = negative(o) ? minus : plus;
  }
}

template <typename Sum>
void Epilogue::apply_tile(const Sum* sums, std::int64_t first_pixel, std::int64_t pixels, const Output& output) const {
  const bool values = destination_ != Destination::sign;
  const bool signs = destination_ != Destination::f32;
  for (std::int64_t i = 0; i < pixels; ++i, sums += channels_) {
    if (signs) write_signs(sums, first_pixel + i, output);
    if (values) write_values(sums, first_pixel + i, output);
  }
}

void Epilogue::apply(const std::int32_t* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(sums, first_pixel, pixels, output);
}

void Epilogue::apply(const float* sums, std::int64_t first_pixel, std::int64_t pixels, const Output& output) const {
  apply_tile(sums, first_pixel, pixels, output);
}

}  // namespace xnorbench
