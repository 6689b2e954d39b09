#include "bench/cases/layer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "bench/measure/sampler.h"
#include "core/random.h"
#include "core/sign.h"
#include "reference/oracle.h"

namespace xnorbench {
namespace {

void fill_random(std::vector<float>& values, Random& random) {
  for (float& value : values) value = random.uniform(-1.0F, 1.0F);
}

void fill_near_equal(std::vector<float>& values, Random& random) {
  const float common = random.one_in(2) ? 1.0F : -1.0F;
  std::fill(values.begin(), values.end(), common);
  for (int flips = 0; flips < 3; ++flips)
    values[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(values.size())))] =
        -common;
}

void sprinkle_special(std::vector<float>& values, Random& random) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float denormal = std::numeric_limits<float>::denorm_min();
  constexpr float specials[] = {0.0F,     -0.0F,     std::numeric_limits<float>::quiet_NaN(),
                                infinity, -infinity, denormal,
                                -denormal};
  for (float& value : values)
    if (random.one_in(3)) value = specials[random.below(std::size(specials))];
}

}  // namespace

LayerData make_layer_data(const ConvProblem& problem, std::uint64_t seed, Pattern pattern) {
  const ConvShape& shape = problem.shape;
  Random random(seed);
  LayerData data;
  data.input.resize(static_cast<std::size_t>(shape.input_count()));
  data.weights.resize(static_cast<std::size_t>(shape.weight_count()));
  for (std::vector<float>* values : {&data.input, &data.weights}) {
    fill_random(*values, random);
    if (pattern == Pattern::near_k) fill_near_equal(*values, random);
    if (pattern == Pattern::special) sprinkle_special(*values, random);
  }
  for (std::int64_t o = 0; o < shape.out_channels; ++o) {
    // Half of the channels use powers of two, so that sums meet the threshold exactly.
    const bool exact = random.one_in(2);
    const float alpha = exact ? 0.25F : random.uniform(0.01F, 0.5F);
    const float bias = exact ? 0.5F : random.uniform(-1.0F, 1.0F);
    const float scale = random.one_in(8) ? 0.0F
                        : exact          ? (random.one_in(2) ? 1.0F : -1.0F)
                                         : random.uniform(-1.5F, 1.5F);
    const float on_threshold =
        layer_value(alpha, random.below(9) - 4 + shape.k() % 2, bias) * scale;
    data.alpha.push_back(alpha);
    data.bias.push_back(bias);
    data.affine.scale.push_back(scale);
    data.affine.shift.push_back(-on_threshold);
  }
  return data;
}

Canonical expected_result(const ConvProblem& problem, const LayerData& data) {
  const std::vector<std::int64_t> sums =
      oracle_sums(problem, to_signs(data.input, problem.zero_rule), data.weights);
  const auto channels = static_cast<std::size_t>(problem.shape.out_channels);
  Canonical values, signs;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t o = i % channels;
    const float value = layer_value(data.alpha[o], sums[i], data.bias[o]);
    values.push_back(std::bit_cast<std::int32_t>(value));
    signs.push_back(sign_of(data.affine(value, o), problem.zero_rule));
  }
  switch (problem.destination) {
    case Destination::acc: return Canonical(sums.begin(), sums.end());
    case Destination::f32: return values;
    case Destination::sign: return signs;
    case Destination::f32_sign: break;
  }
  values.insert(values.end(), signs.begin(), signs.end());
  return values;
}

std::size_t layer_bytes(const ConvShape& shape) {
  // Input: floats, signs and a packed input. Weights: floats, signs and packed. Output: 64-bit
  // sums, two canonical results of up to two parts, and the implementation's own.
  return static_cast<std::size_t>(shape.input_count()) * 9 +
         static_cast<std::size_t>(shape.weight_count()) * 13 +
         static_cast<std::size_t>(shape.output_count()) * 36;
}

PreparedLayer::PreparedLayer(const Implementation& implementation, const ConvProblem& problem,
                             const LayerData& data, const Resources& resources)
    : problem_(problem),
      elementwise_(implementation.device().make_elementwise(resources.cpu)),
      source_format_(implementation.source_format(problem)),
      ledger_(implementation.device()) {
  ConvProblem next;  // a layer that reads the output
  next.shape.in_channels = problem.shape.out_channels;
  next.pad_value = problem.pad_value;
  next_ = implementation.source_format(next);

  Weights weights{data.weights, {data.alpha, data.bias, {}, next_}};
  weights.epilogue.thresholds =
      find_thresholds(data.alpha, data.bias, data.affine, problem.zero_rule, problem.shape.k());
  Context context{ledger_, resources.cpu, resources.workspace_limit_bytes};
  prepare_ns_ = time_once([&] { plan_ = implementation.prepare(problem, weights, context); });

  const std::int64_t in_pixels = problem.shape.in_pixels();
  packed_input_ =
      ledger_.allocate(source_format_.category(),
                       static_cast<std::size_t>(in_pixels) * source_format_.bytes_per_pixel(),
                       "the layer's packed input");
  if (problem.source == Source::f32) {
    tensor_ = ledger_.store<float>(Category::input_output, data.input, "the layer's input");
  } else {
    Ledger elsewhere(ledger_.device());  // not part of the case's memory: it is freed below
    const Buffer tensor =
        elsewhere.store<float>(Category::input_output, data.input, "the layer's input");
    binarise(tensor);
  }
  workspace_ = ledger_.allocate(plan_->workspace(), "the layer's workspace");
  allocate_output();
}

void PreparedLayer::allocate_output() {
  const ConvShape& shape = problem_.shape;
  const auto count = static_cast<std::size_t>(shape.output_count());
  const bool wants_values = has_values(problem_.destination);
  const bool wants_signs = has_signs(problem_.destination);
  if (problem_.destination == Destination::acc) {
    sums_ = ledger_.allocate(Category::input_output, count * size_of(plan_->sum_type()),
                             "the layer's sums");
    output_.sums = sums_.data();
  }
  if (wants_values) {
    values_ = ledger_.allocate(Category::input_output, count * sizeof(float),
                               "the layer's output tensor");
    output_.values = {values_.as<float>(), shape.out_channels};
  }
  if (wants_signs) {
    signs_ = ledger_.allocate(
        next_.category(), static_cast<std::size_t>(shape.out_pixels()) * next_.bytes_per_pixel(),
        "the next layer's packed input");
    output_.signs = signs_.data();
  }
}

void PreparedLayer::binarise(const Buffer& tensor) {
  elementwise_->sign(source_format_, problem_.zero_rule, problem_.shape.in_pixels(),
                     {tensor.as<float>(), problem_.shape.in_channels}, {}, packed_input_.data());
}

void PreparedLayer::run() {
  if (problem_.source == Source::f32) binarise(tensor_);
  plan_->run(packed_input_.data(), output_, workspace_.data());
}

template <typename T>
std::vector<T> PreparedLayer::read(const Buffer& buffer) const {
  std::vector<T> values(buffer.size() / sizeof(T));
  ledger_.device().read(values.data(), buffer.data(), buffer.size());
  return values;
}

Canonical PreparedLayer::result() const {
  const auto count = static_cast<std::size_t>(problem_.shape.output_count());
  Canonical result;
  if (output_.sums && plan_->sum_type() == SumType::f32) {
    const std::vector<float> sums = read<float>(sums_);
    // A sum that is no integer must not be rounded to a right one.
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(sums[i] == std::nearbyint(sums[i])
                           ? static_cast<std::int32_t>(sums[i])
                           : std::numeric_limits<std::int32_t>::min());
  } else if (output_.sums && plan_->sum_type() == SumType::i16) {
    for (std::int16_t sum : read<std::int16_t>(sums_)) result.push_back(sum);
  } else if (output_.sums) {
    result = read<std::int32_t>(sums_);
  }
  if (output_.values.data)
    for (float value : read<float>(values_)) result.push_back(std::bit_cast<std::int32_t>(value));
  if (output_.signs) {
    std::vector<std::int8_t> signs(count);
    decode_signs(next_, problem_.shape.out_pixels(), read<std::byte>(signs_).data(), signs.data());
    result.insert(result.end(), signs.begin(), signs.end());
  }
  return result;
}

}  // namespace xnorbench
