#include "kernels/device_epilogue.h"

#include "kernels/convert.h"

namespace xnorbench::cuda {

DeviceEpilogue::DeviceEpilogue(const ConvProblem& problem, const EpilogueParameters& parameters,
                               Ledger& ledger)
    : destination_(problem.destination),
      channels_(problem.shape.out_channels),
      next_(parameters.next) {
  auto store = [&ledger](const auto& values) {
    return values.empty()
               ? Buffer()
               : ledger.store(Category::parameters, std::span(values), "layer parameters");
  };
  if (has_values(destination_)) {
    alpha_ = store(parameters.alpha);
    bias_ = store(parameters.bias);
  }
  if (has_signs(destination_)) {
    std::vector<std::int32_t> limit, flip;
    for (const SumThreshold& threshold : parameters.thresholds) {
      limit.push_back(threshold.limit);
      flip.push_back(threshold.flip);
    }
    limit_ = store(limit);
    flip_ = store(flip);
  }
}

bool DeviceEpilogue::is_tile_aligned(std::int64_t groups) const {
  if (!has_signs(destination_)) return true;
  auto aligned = [this](std::int64_t count) {
    return count == 1 || channels_ / count % channel_tile == 0;
  };
  return next_.form == PackedForm::bits && aligned(groups) && aligned(next_.groups);
}

EpilogueArguments DeviceEpilogue::arguments(const Output& output) const {
  EpilogueArguments e{};
  e.channels = to_int(channels_);
  e.sums = output.sums;
  e.alpha = alpha_.as<float>();
  e.bias = bias_.as<float>();
  e.limit = limit_.as<int>();
  e.flip = flip_.as<int>();
  if (has_values(destination_)) {
    e.values = convert(output.values);
    e.addend = convert(output.addend);
  }
  if (has_signs(destination_)) e.signs = convert(next_, output.signs);
  return e;
}

}  // namespace xnorbench::cuda
