// Runs one layer on one implementation and compares all that it writes with the oracle.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/implementation.h"
#include "core/random.h"
#include "core/sign.h"
#include "reference/oracle.h"

namespace xnorbench {

constexpr std::array all_destinations{Destination::acc, Destination::f32, Destination::sign,
                                      Destination::f32_sign};
constexpr std::array all_pads{PadValue::minus_one, PadValue::zero, PadValue::plus_one};

/// Sometimes special, so that the sign rule decides.
inline float random_value(Random& random) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float denormal = std::numeric_limits<float>::denorm_min();
  constexpr std::array specials{0.0F, -0.0F, nan, -nan, inf, -inf, denormal, -denormal};
  if (random.one_in(5)) return specials[static_cast<std::size_t>(random.below(specials.size()))];
  return random.uniform(-1.0F, 1.0F);
}

/// One layer with its data and what the oracle makes of it.
struct Layer {
  ConvProblem problem;
  std::vector<float> tensor, weights;
  EpilogueParameters epilogue;
  Affine affine;
  std::vector<std::int64_t> sums;
  std::vector<float> values;
  std::vector<std::int8_t> signs;

  Layer(const ConvProblem& p, Random& random) : problem(p) {
    tensor.resize(static_cast<std::size_t>(p.shape.input_count()));
    weights.resize(static_cast<std::size_t>(p.shape.weight_count()));
    for (float& x : tensor) x = random_value(random);
    for (float& w : weights) w = random_value(random);
    const auto channels = static_cast<std::size_t>(p.shape.out_channels);
    const float spread = std::sqrt(static_cast<float>(p.shape.k()));
    const bool with_bias = random.one_in(2);
    for (std::size_t o = 0; o < channels; ++o) {
      epilogue.alpha.push_back(random.uniform(0.01F, 0.1F));
      if (with_bias) epilogue.bias.push_back(random.uniform(-0.1F, 0.1F));
      affine.scale.push_back(random.one_in(8) ? 0.0F : random.uniform(-2.0F, 2.0F));
      // Near the middle of the sums and, for every second channel, a tie of an even sum.
      const auto sum = static_cast<float>(2 * std::lround(random.uniform(-spread, spread) / 2));
      affine.shift.push_back(-(epilogue.alpha[o] * sum * affine.scale[o]));
    }
    evaluate();
  }

  void evaluate() {
    const ConvShape& s = problem.shape;
    epilogue.thresholds =
        find_thresholds(epilogue.alpha, epilogue.bias, affine, problem.zero_rule, s.k());
    omp_set_num_threads(1);  // for the oracle: such small problems do not gain from more
    sums = oracle_sums(problem, to_signs(tensor, problem.zero_rule), weights);
    values.clear();
    signs.clear();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t o = i % static_cast<std::size_t>(s.out_channels);
      values.push_back(
          layer_value(epilogue.alpha[o], sums[i], epilogue.bias.empty() ? 0.0F : epilogue.bias[o]));
      signs.push_back(
          static_cast<std::int8_t>(sign_of(affine(values.back(), o), problem.zero_rule)));
    }
  }
};

/// Memory of the implementation's device between two guard bytes; holds NaN, or what is given.
class Guarded {
 public:
  Guarded(Ledger& ledger, const std::vector<std::byte>& bytes)
      : device_(ledger.device()),
        buffer_(ledger.allocate(Category::input_output, bytes.size() + 2 * buffer_alignment,
                                "test data")),
        bytes_(bytes.size()) {
    write_guard(device_, data() - guard_size_bytes);
    device_.write(data(), bytes.data(), bytes_);
    write_guard(device_, data() + bytes_);
  }
  Guarded(Ledger& ledger, std::size_t bytes)
      : Guarded(ledger, std::vector<std::byte>(bytes, std::byte{0xFF})) {}

  std::byte* data() const { return buffer_.data() + buffer_alignment; }
  bool intact() const {
    return guard_intact(device_, data() - guard_size_bytes) &&
           guard_intact(device_, data() + bytes_);
  }
  template <typename T>
  std::vector<T> read() const {
    std::vector<T> values(bytes_ / sizeof(T));
    device_.read(values.data(), data(), bytes_);
    return values;
  }

 private:
  Device& device_;
  Buffer buffer_;
  std::size_t bytes_;
};

struct Variant {
  Destination destination = Destination::acc;
  int threads = 1;
  std::int64_t gap = 0;  // floats between the pixels of the value tensor
  bool in_place = false;
  PackedForm next_form = PackedForm::bits;
  float next_offset = 0.0F;
  Isa isa = best_isa();
  bool value_signs = false;  // of the values, into a wider packed input
};

inline std::vector<double> read_sums(const Plan& plan, const Guarded& sums) {
  auto to_double = [](const auto& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  switch (plan.sum_type()) {
    case SumType::i16: return to_double(sums.read<std::int16_t>());
    case SumType::i32: return to_double(sums.read<std::int32_t>());
    case SumType::f32: break;
  }
  return to_double(sums.read<float>());
}

inline void check_values(const Layer& layer, const Guarded& values, const Variant& v) {
  const std::int64_t channels = layer.problem.shape.out_channels;
  const std::vector<float> tensor = values.read<float>();
  for (std::int64_t i = 0; i < layer.problem.shape.out_pixels() * (channels + v.gap); ++i) {
    const std::int64_t c = i % (channels + v.gap);
    const auto at = static_cast<std::size_t>(i / (channels + v.gap) * channels + c);
    const float value = tensor[static_cast<std::size_t>(i)];
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (c >= channels)
      ASSERT_EQ(bits, 0xFFFFFFFFU) << "wrote between the pixels";
    else
      ASSERT_EQ(bits, std::bit_cast<std::uint32_t>(v.in_place ? layer.values[at] + 0.7F
                                                              : layer.values[at]))
          << "value " << at << " is " << value << ", not " << layer.values[at];
  }
}

/// Of the values that were written, after the addend; the other channels of the packed input are
/// untouched.
inline void check_value_signs(const Layer& layer, const Guarded& values,
                              const Guarded& packed_input, const PackedFormat& format,
                              const Variant& v) {
  const ConvShape& s = layer.problem.shape;
  const std::int64_t stride = s.out_channels + v.gap;
  const std::vector<float> tensor = values.read<float>();
  std::vector<std::int8_t> decoded(static_cast<std::size_t>(s.out_pixels() * format.channels));
  decode_signs(format, s.out_pixels(), packed_input.read<std::byte>().data(), decoded.data());
  for (std::int64_t i = 0; i < s.out_pixels() * format.channels; ++i) {
    const std::int64_t channel = i % format.channels - 40;
    int expected = -1;  // what such memory is filled with
    if (channel >= 0) {
      const float value = tensor[static_cast<std::size_t>(i / format.channels * stride + channel)];
      expected =
          sign_of(layer.affine(value, static_cast<std::size_t>(channel)), layer.problem.zero_rule);
    }
    ASSERT_EQ(decoded[static_cast<std::size_t>(i)], expected) << "sign of value " << i;
  }
}

/// Runs twice and compares all that the destination asks for.
inline void check(const Implementation& implementation, const Layer& layer, const Variant& v) {
  ConvProblem problem = layer.problem;
  problem.destination = v.destination;
  const ConvShape& s = problem.shape;
  SCOPED_TRACE(fmt::format("{} {} {} threads {}", implementation.info().name, to_string(v.isa),
                           to_text(problem), v.threads));
  const bool sums = v.destination == Destination::acc;
  const bool values = v.destination == Destination::f32 || v.destination == Destination::f32_sign;
  const bool signs = v.destination == Destination::sign || v.destination == Destination::f32_sign;
  const auto out_pixels = static_cast<std::size_t>(s.out_pixels());
  const auto outputs = static_cast<std::size_t>(s.output_count());
  const std::int64_t stride = s.out_channels + v.gap;

  Ledger ledger(implementation.device());
  const PackedFormat format = implementation.source_format(problem);
  std::vector<std::byte> signs_of_tensor(static_cast<std::size_t>(s.in_pixels()) *
                                         format.bytes_per_pixel());
  sign_pass(format, problem.zero_rule, s.in_pixels(), {layer.tensor.data(), s.in_channels}, {},
            signs_of_tensor.data(), {v.threads, v.isa});
  const Guarded source(ledger, signs_of_tensor);

  Weights weights{layer.weights, layer.epilogue};
  const std::int64_t next_groups = v.next_form == PackedForm::bits ? s.groups : 1;
  weights.epilogue.next = {v.next_form, s.out_channels, next_groups, v.next_offset};
  Context context{ledger, {v.threads, v.isa}};
  const auto plan = implementation.prepare(problem, weights, context);
  EXPECT_FALSE(plan->kernel().isa.empty() && plan->kernel().library.empty());
  EXPECT_FALSE(plan->kernel().library.starts_with("ref"))
      << plan->kernel().library;  // oneDNN's name for "slow"
  weights.values = {};            // a plan keeps no reference

  for (int run = 0; run < 2; ++run) {
    const Guarded workspace(ledger, plan->workspace_bytes());
    const Guarded sum_tensor(ledger, sums ? outputs * size_of(plan->sum_type()) : 0);
    std::vector<std::uint32_t> before(values ? out_pixels * static_cast<std::size_t>(stride) : 0,
                                      0xFFFFFFFFU);
    if (v.in_place)
      for (std::int64_t i = 0; i < s.output_count(); ++i)
        before[static_cast<std::size_t>(i / s.out_channels * stride + i % s.out_channels)] =
            std::bit_cast<std::uint32_t>(0.7F);
    const auto before_bytes = std::as_bytes(std::span(before));
    const Guarded value_tensor(ledger,
                               std::vector<std::byte>(before_bytes.begin(), before_bytes.end()));
    const Guarded packed_input(ledger,
                               signs ? out_pixels * weights.epilogue.next.bytes_per_pixel() : 0);
    Output output;
    if (sums) output.sums = sum_tensor.data();
    if (values) output.values = {reinterpret_cast<float*>(value_tensor.data()), stride};
    if (signs) output.signs = packed_input.data();
    if (v.in_place) output.addend = {output.values.data, stride};
    const PackedFormat wide{PackedForm::bits, s.out_channels + 40};
    const Guarded wide_packed(ledger, v.value_signs ? out_pixels * wide.bytes_per_pixel() : 0);
    const SignTarget target{wide,
                            problem.zero_rule,
                            {layer.affine.scale.data(), layer.affine.shift.data()},
                            40,
                            wide_packed.data()};
    if (v.value_signs) output.value_signs = std::span(&target, 1);
    plan->run(source.data(), output, workspace.data());

    ASSERT_TRUE(source.intact() && workspace.intact() && sum_tensor.intact() &&
                value_tensor.intact() && packed_input.intact());
    ASSERT_EQ(source.read<std::byte>(), signs_of_tensor) << "the source was modified";
    const std::vector<double> found = read_sums(*plan, sum_tensor);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], static_cast<double>(layer.sums[i])) << "sum " << i;
    if (values) check_values(layer, value_tensor, v);
    if (v.value_signs) {
      ASSERT_TRUE(wide_packed.intact());
      check_value_signs(layer, value_tensor, wide_packed, wide, v);
      if (!v.in_place) {  // and without a tensor for the values
        const Guarded alone(ledger, out_pixels * wide.bytes_per_pixel());
        SignTarget only = target;
        only.packed_input = alone.data();
        Output signs_only = output;
        signs_only.values = {};
        signs_only.value_signs = std::span(&only, 1);
        plan->run(source.data(), signs_only, workspace.data());
        ASSERT_TRUE(alone.intact());
        ASSERT_EQ(alone.read<std::byte>(), wide_packed.read<std::byte>());
      }
    }
    if (signs) {
      std::vector<std::int8_t> decoded(outputs);
      decode_signs(weights.epilogue.next, s.out_pixels(), packed_input.read<std::byte>().data(),
                   decoded.data());
      for (std::size_t i = 0; i < outputs; ++i)
        ASSERT_EQ(decoded[i], layer.signs[i]) << i << ", sum " << layer.sums[i];
    }
  }
}

}  // namespace xnorbench
