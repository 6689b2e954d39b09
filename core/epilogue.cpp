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
Buffer store_field(const std::vector<SumThreshold>& thresholds, std::int32_t SumThreshold::*field,
                   Ledger& ledger) {
  std::vector<Limit> values(thresholds.size());
  std::transform(
      thresholds.begin(), thresholds.end(), values.begin(), [field](const SumThreshold& t) {
        return static_cast<Limit>(std::clamp<std::int32_t>(
            t.*field, std::numeric_limits<Limit>::min(), std::numeric_limits<Limit>::max()));
      });
  return store(values, ledger);
}

}  // namespace

std::size_t size_of(SumType type) {
  return type == SumType::i16   ? sizeof(std::int16_t)
         : type == SumType::i32 ? sizeof(std::int32_t)
                                : sizeof(float);
}

Epilogue::Epilogue(const ConvProblem& problem, const EpilogueParameters& parameters, SumType sums,
                   Ledger& ledger, Isa isa)
    : destination_(problem.destination),
      channels_(problem.shape.out_channels),
      next_(parameters.next),
      loops_(row_loops(isa)) {
  if (has_values(destination_)) {
    alpha_ = store(parameters.alpha, ledger);
    bias_ = store(parameters.bias, ledger);
  }
  if (has_signs(destination_)) {
    const auto store_as =
        sums == SumType::i16 ? store_field<std::int16_t> : store_field<std::int32_t>;
    limit_ = store_as(parameters.thresholds, &SumThreshold::limit, ledger);
    flip_ = store_as(parameters.thresholds, &SumThreshold::flip, ledger);
  }
}

template <typename Sum, typename Limit>
void Epilogue::write_values(const SumLoops<Sum, Limit>& loops, const Sum* sums,
                            std::int64_t first_pixel, std::int64_t pixels,
                            const Output& output) const {
  write_values_and_signs(loops_, first_pixel, {pixels, channels_}, output.values,
                         output.value_signs,
                         [&](std::int64_t pixel, Extent extent, FloatTensor values) {
                           ConstFloatTensor addend = output.addend;
                           if (addend.data) addend.data += (first_pixel + pixel) * addend.stride;
                           loops.values(extent, sums + pixel * channels_, alpha_.as<float>(),
                                        bias_.as<float>(), addend, values);
                         });
}

template <typename Sum, typename Limit>
void Epilogue::write_signs(const SumLoops<Sum, Limit>& loops, const Sum* sums,
                           std::int64_t first_pixel, std::int64_t pixels,
                           const Output& output) const {
  const ThresholdView<Limit> thresholds{limit_.as<Limit>(), flip_.as<Limit>()};
  const Extent extent{pixels, channels_};
  switch (next_.form) {
    case PackedForm::bits: {
      const auto stride = static_cast<std::int64_t>(next_.bytes_per_pixel());
      std::byte* bytes = static_cast<std::byte*>(output.signs) + first_pixel * stride;
      const std::int64_t group = next_.group_channels();
      for (std::int64_t first = 0; first < channels_;
           first += group, bytes += next_.words_per_group() * 8)
        loops.bits({pixels, group}, sums + first, channels_,
                   {thresholds.limit + first, thresholds.flip + first}, {bytes, stride, 8});
      break;
    }
    case PackedForm::f32:
      loops.floats(extent, sums, thresholds, 1.0F - next_.offset, -1.0F - next_.offset,
                   static_cast<float*>(output.signs) + first_pixel * channels_);
      break;
    case PackedForm::u8:
      loops.bytes(extent, sums, thresholds, next_.plus, next_.minus,
                  static_cast<std::uint8_t*>(output.signs) + first_pixel * channels_);
      break;
  }
}

template <typename Sum, typename Limit>
void Epilogue::apply_tile(const SumLoops<Sum, Limit>& loops, const Sum* sums,
                          std::int64_t first_pixel, std::int64_t pixels,
                          const Output& output) const {
  if (has_signs(destination_)) write_signs(loops, sums, first_pixel, pixels, output);
  if (has_values(destination_)) write_values(loops, sums, first_pixel, pixels, output);
}

void Epilogue::apply(const std::int16_t* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(loops_.i16, sums, first_pixel, pixels, output);
}

void Epilogue::apply(const std::int32_t* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(loops_.i32, sums, first_pixel, pixels, output);
}

void Epilogue::apply(const float* sums, std::int64_t first_pixel, std::int64_t pixels,
                     const Output& output) const {
  apply_tile(loops_.f32, sums, first_pixel, pixels, output);
}

}  // namespace xnorbench
