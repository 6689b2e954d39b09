#include "core/pad_mapping.h"

namespace xnorbench {
PackedFormat zero_padded_format(const ConvProblem& problem) {
  return {PackedForm::f32, problem.shape.in_channels, 1, to_float(problem.pad_value)};
}

std::int64_t largest_packed_value(const ConvProblem& problem) {
  return problem.pad_value == PadValue::zero ? 1 : 2;
}

std::vector<float> pad_correction(const ConvProblem& problem, std::span<const float> signs) {
  const auto k = static_cast<std::size_t>(problem.shape.k());
  std::vector<float> correction(static_cast<std::size_t>(problem.shape.out_channels));
  for (std::size_t o = 0; o < correction.size(); ++o) {
    float sum = 0.0F;
    for (float sign : signs.subspan(o * k, k)) sum += sign;
    correction[o] = to_float(problem.pad_value) * sum;
  }
  return correction;
}

}  // namespace xnorbench
