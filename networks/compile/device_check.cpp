#include "networks/compile/device_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/sign.h"

namespace xnorbench {
namespace {

std::vector<float> read_tensor(const Executor& executor, const Place& place,
                               const TensorShape& shape) {
  const auto pixels = static_cast<std::size_t>(shape.pixels());
  const auto channels = static_cast<std::size_t>(shape.channels);
  const auto stride = static_cast<std::size_t>(place.stride);
  std::vector<float> wide((pixels - 1) * stride + channels);
  executor.device().read(wide.data(), place.const_in(executor.buffers()).data,
                         wide.size() * sizeof(float));
  if (stride == channels) return wide;
  std::vector<float> tensor(pixels * channels);
  for (std::size_t p = 0; p < pixels; ++p)
    std::copy_n(wide.data() + p * stride, channels, tensor.data() + p * channels);
  return tensor;
}

/// How many signs of a packed input are not those of the reference's tensor.
std::int64_t count_flipped(const Executor& executor, const Graph& graph,
                           const ProgramPackedInput& packed_input,
                           const std::vector<float>& reference) {
  const auto pixels = graph.node(packed_input.of).shape.pixels();
  std::vector<std::byte> bytes(static_cast<std::size_t>(pixels) *
                               packed_input.format.bytes_per_pixel());
  executor.device().read(bytes.data(), executor.buffers()[packed_input.buffer], bytes.size());
  std::vector<std::int8_t> signs(reference.size());
  decode_signs(packed_input.format, pixels, bytes.data(), signs.data());
  std::int64_t flipped = 0;
  for (std::size_t i = 0; i < signs.size(); ++i)
    flipped += signs[i] != sign_of(reference[i], packed_input.rule);
  return flipped;
}

template <typename F>
void for_each_packed_input_of(const Executor& executor, const Step& step, F&& f) {
  for (const ProgramPackedInput& packed_input : executor.program().packed_inputs)
    if (std::find(step.writes.begin(), step.writes.end(), packed_input.buffer) != step.writes.end())
      f(packed_input);
}

bool identical(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

double largest_magnitude(const std::vector<float>& values) {
  double largest = 0;
  for (float value : values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  return largest;
}

/// Observes a run whose real layers are given the reference's outputs.
class Comparison {
 public:
  Comparison(const Executor& executor, const Graph& graph, const NetworkParameters& parameters,
             const ReferenceTensors& reference)
      : executor_(executor), graph_(graph), parameters_(parameters), reference_(reference) {}

  void before(const Step& step) {
    if (!step.real_tensors) return;
    const RealLayerTensors& tensors = *step.real_tensors;
    if (!identical(read_tensor(executor_, tensors.from, graph_.node(tensors.input).shape),
                   reference_[tensors.input]))
      report(fmt::format("what layer {} reads is not the reference's, bit for bit", step.name));
  }

  void after(const Step& step) {
    for_each_packed_input_of(executor_, step, [&](const ProgramPackedInput& packed_input) {
      const std::int64_t flipped =
          count_flipped(executor_, graph_, packed_input, reference_[packed_input.of]);
      if (flipped > 0)
        report(fmt::format("layer {}: {} of {} signs of {} are not the reference's", step.name,
                           flipped, reference_[packed_input.of].size(),
                           graph_.node(packed_input.of).name));
    });
    if (step.real_tensors) replace(step.name, *step.real_tensors);
  }

  std::string finish() {
    const bool last_is_real = graph_.node(graph_.output()).kind == NodeKind::convolution;
    if (!last_is_real && !identical(executor_.output(), reference_[graph_.output()]))
      report("the output is not the reference's, bit for bit");
    return wrong_;
  }

 private:
  void report(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  /// Checks how far the real layer's output is from the reference's, then replaces it.
  void replace(const std::string& name, const RealLayerTensors& tensors) {
    const std::vector<float>& expected = reference_[tensors.output];
    const double difference = largest_difference(
        read_tensor(executor_, tensors.to, graph_.node(tensors.output).shape), expected);
    if (!(difference <= rounding_bound(tensors)))
      report(
          fmt::format("real layer {}: differs from the reference by {:.3g}, more than rounding can "
                      "({:.3g}); its largest value is {:.3g}",
                      name, difference, rounding_bound(tensors), largest_magnitude(expected)));
    // A real layer's own tensor is dense.
    executor_.device().write(tensors.to.in(executor_.buffers()).data, expected.data(),
                             expected.size() * sizeof(float));
  }

  /// Two sums of the same K products and a bias, each rounded in an order of its own, differ by no
  /// more than 2 (K + 1) u sum(|x w| + |b|), u = 2^-24 (Higham, Accuracy and Stability of Numerical
  /// Algorithms, 4.2).
  double rounding_bound(const RealLayerTensors& tensors) const {
    const NodeParameters& p = parameters_[tensors.output];
    const auto k = static_cast<std::size_t>(graph_.node(tensors.output).problem.shape.k());
    double largest_row = 0;
    for (std::size_t o = 0; o * k < p.weights.size(); ++o) {
      double row = 0;
      for (std::size_t i = 0; i < k; ++i)
        row += std::abs(static_cast<double>(p.weights[o * k + i]));
      largest_row = std::max(largest_row, row);
    }
    const double largest_sum =
        largest_magnitude(reference_[tensors.input]) * largest_row + largest_magnitude(p.bias);
    return 2 * static_cast<double>(k + 1) * 0x1p-24 * largest_sum;
  }

  const Executor& executor_;
  const Graph& graph_;
  const NetworkParameters& parameters_;
  const ReferenceTensors& reference_;
  std::string wrong_;
};

/// Where the largest values are: the pixel for every channel of every image or, if the output is
/// one pixel, the channel for every image.
std::vector<std::int64_t> find_peaks(const std::vector<float>& tensor, const TensorShape& shape) {
  const std::int64_t pixels = shape.height * shape.width;
  auto value = [&](std::int64_t image, std::int64_t pixel, std::int64_t channel) {
    return tensor[static_cast<std::size_t>((image * pixels + pixel) * shape.channels + channel)];
  };
  auto largest_of = [](std::int64_t count, auto&& value_at) {
    std::int64_t largest = 0;
    for (std::int64_t i = 1; i < count; ++i)
      if (value_at(i) > value_at(largest)) largest = i;
    return largest;
  };
  std::vector<std::int64_t> peaks;
  for (std::int64_t image = 0; image < shape.batch; ++image)
    if (pixels == 1) {
      peaks.push_back(largest_of(shape.channels,
                                 [&](std::int64_t channel) { return value(image, 0, channel); }));
    } else {
      for (std::int64_t channel = 0; channel < shape.channels; ++channel)
        peaks.push_back(
            largest_of(pixels, [&](std::int64_t pixel) { return value(image, pixel, channel); }));
    }
  return peaks;
}

}  // namespace

std::string check_with_reference_real_layers(const Executor& executor, const Graph& graph,
                                             const NetworkParameters& parameters,
                                             const ReferenceTensors& reference) {
  Comparison comparison(executor, graph, parameters, reference);
  executor.run_observed([&](const Step& step) { comparison.before(step); },
                        [&](const Step& step) { comparison.after(step); });
  return comparison.finish();
}

Deviation measure_deviation(const Executor& executor, const Graph& graph,
                            const ReferenceTensors& reference) {
  Deviation deviation;
  executor.run_observed(
      [](const Step&) {},
      [&](const Step& step) {
        for_each_packed_input_of(executor, step, [&](const ProgramPackedInput& packed_input) {
          deviation.flipped_signs +=
              count_flipped(executor, graph, packed_input, reference[packed_input.of]);
        });
      });
  const std::vector<float> output = executor.output();
  const std::vector<float>& expected = reference[graph.output()];
  deviation.largest_difference = largest_difference(output, expected);
  deviation.largest_value = largest_magnitude(expected);
  const std::vector<std::int64_t> peaks = find_peaks(output, graph.output_shape());
  const std::vector<std::int64_t> expected_peaks = find_peaks(expected, graph.output_shape());
  for (std::size_t i = 0; i < peaks.size(); ++i)
    deviation.moved_peaks += peaks[i] != expected_peaks[i];
  return deviation;
}

}  // namespace xnorbench
