// Every implementation, on the shapes at which public kernels were wrong, against the oracle: sums exact,
// values and signs bit for bit, nothing written that was not asked for. What an implementation does not
// support it must say with a reason; our own bit kernels support everything.
#include "core/implementation.h"

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

#include "core/random.h"
#include "core/sign.h"
#include "reference/oracle.h"

namespace xnorbench {
namespace {

constexpr std::array all_destinations{Destination::acc, Destination::f32, Destination::sign, Destination::f32_sign};
constexpr std::array all_pads{PadValue::minus_one, PadValue::zero, PadValue::plus_one};

/// Trap shapes. Channel counts around the word and output counts around the register blocks are crossed
/// in trap_shapes().
constexpr std::array special_shapes{
    "ic64_ih3_oc5_kh3",                                             // one output pixel
    "ic33_ih8_iw7_oc5_kh3_ph1_sh2", "ic16_ih6_oc5_sh2",             // stride; 1x1, but no pointwise matrix
    "ic48_ih7_iw9_oc3_kh3_kw5_sh2_sw3_ph2_pw1",                     // everything rectangular
    "ic65_ih6_iw5_oc7_kh1_kw4_pw3", "ic3_ih9_iw2_oc4_kh5_kw1_sh3_sw1_ph2_pw0",
    "ic32_ih9_oc4_kh3_ph2_dh2", "ic31_ih11_iw9_oc5_kh3_ph3_dh3",    // dilation
    "ic65_ih9_oc3_kh3_ph2_pw3_dh2_dw3",
    "ic64_ih5_oc8_kh3_ph1_g2", "ic66_ih5_oc9_kh3_ph1_g3",           // groups
    "ic130_ih4_oc4_kh3_ph1_g2", "ic72_ih3_oc6_g3",
    "ic33_ih6_oc33_kh3_ph1_g33", "ic5_ih6_oc10_kh3_ph1_g5",         // depthwise
    "n3_ic33_ih5_iw4_oc5_kh3_ph1", "n3_ic72_ih3_oc7_kh3_ph1_sh2",   // batch
    "ic3_ih11_oc7_kh7_ph3_sh2",                                     // the stem of most networks
    "ic33_ih2_iw3_oc4_kh3_ph4_pw5", "ic1_ih1_oc1_kh3_ph3",          // windows that lie in the padding alone
    "ic64_ih13_iw11_oc5_kh3_ph1", "ic256_ih12_iw11_oc4_kh3_ph1",    // several tiles, several bands
    "ic100_iw100_oc100", "ic192_iw192_oc192", "ic1000_iw3_oc1000",  // products that are no power of two
    "ic8192_ih2_iw3_oc5_kh3_ph1"};                                  // K above 65536

std::vector<std::string> trap_shapes() {
  std::vector<std::string> shapes(special_shapes.begin(), special_shapes.end());
  constexpr std::array in_channels{1, 3, 31, 32, 33, 48, 63, 64, 65, 72};
  constexpr std::array out_channels{1, 3, 4, 5, 7};
  for (std::size_t i = 0; i < in_channels.size(); ++i) {
    shapes.push_back(fmt::format("ic{}_ih5_iw4_oc{}_kh3_ph1", in_channels[i], out_channels[i % out_channels.size()]));
    shapes.push_back(fmt::format("ic{}_ih3_oc{}", in_channels[i], out_channels[(i + 2) % out_channels.size()]));
  }
  return shapes;
}

/// Sometimes special, so that the sign rule decides.
float random_value(Random& random) {
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
  std::vector<float> map, weights;
  EpilogueParameters epilogue;
  Affine affine;
  std::vector<std::int64_t> sums;
  std::vector<float> values;
  std::vector<std::int8_t> signs;

  Layer(const ConvProblem& p, Random& random) : problem(p) {
    map.resize(static_cast<std::size_t>(p.shape.input_count()));
    weights.resize(static_cast<std::size_t>(p.shape.weight_count()));
    for (float& x : map) x = random_value(random);
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
    epilogue.thresholds = find_thresholds(epilogue.alpha, epilogue.bias, affine, problem.zero_rule, s.k());
    omp_set_num_threads(1);  // for the oracle: such small problems do not gain from more
    sums = oracle_sums(problem, to_signs(map, problem.zero_rule), weights);
    values.clear();
    signs.clear();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t o = i % static_cast<std::size_t>(s.out_channels);
      values.push_back(layer_value(epilogue.alpha[o], sums[i], epilogue.bias.empty() ? 0.0F : epilogue.bias[o]));
      signs.push_back(static_cast<std::int8_t>(sign_of(affine(values.back(), o), problem.zero_rule)));
    }
  }
};

/// Memory of the implementation's device between two canaries; holds NaN, or what is given.
class Guarded {
 public:
  Guarded(Ledger& ledger, const std::vector<std::byte>& bytes)
      : device_(ledger.device()),
        buffer_(ledger.allocate(Category::input_output, bytes.size() + 2 * buffer_alignment, "test data")),
        bytes_(bytes.size()) {
    write_canary(device_, data() - canary_bytes);
    device_.write(data(), bytes.data(), bytes_);
    write_canary(device_, data() + bytes_);
  }
  Guarded(Ledger& ledger, std::size_t bytes) : Guarded(ledger, std::vector<std::byte>(bytes, std::byte{0xFF})) {}

  std::byte* data() const { return buffer_.data() + buffer_alignment; }
  bool intact() const { return canary_intact(device_, data() - canary_bytes) && canary_intact(device_, data() + bytes_); }
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
  std::int64_t gap = 0;  // floats between the pixels of the value map
  bool in_place = false;
  OperandForm next_form = OperandForm::bits;
  float next_offset = 0.0F;
};

std::vector<double> read_sums(const Plan& plan, const Guarded& sums) {
  auto to_double = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  return plan.sum_type() == SumType::i32 ? to_double(sums.read<std::int32_t>()) : to_double(sums.read<float>());
}

void check_values(const Layer& layer, const Guarded& values, const Variant& v) {
  const std::int64_t channels = layer.problem.shape.out_channels;
  const std::vector<float> map = values.read<float>();
  for (std::int64_t i = 0; i < layer.problem.shape.out_pixels() * (channels + v.gap); ++i) {
    const std::int64_t c = i % (channels + v.gap);
    const auto at = static_cast<std::size_t>(i / (channels + v.gap) * channels + c);
    const float value = map[static_cast<std::size_t>(i)];
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (c >= channels)
      ASSERT_EQ(bits, 0xFFFFFFFFU) << "wrote between the pixels";
    else
      ASSERT_EQ(bits, std::bit_cast<std::uint32_t>(v.in_place ? layer.values[at] + 0.7F : layer.values[at]))
          << "value " << at << " is " << value << ", not " << layer.values[at];
  }
}

/// Runs twice and compares all that the destination asks for.
void check(const Implementation& implementation, const Layer& layer, const Variant& v) {
  ConvProblem problem = layer.problem;
  problem.destination = v.destination;
  const ConvShape& s = problem.shape;
  SCOPED_TRACE(fmt::format("{} {} threads {}", implementation.info().name, to_text(problem), v.threads));
  const bool sums = v.destination == Destination::acc;
  const bool values = v.destination == Destination::f32 || v.destination == Destination::f32_sign;
  const bool signs = v.destination == Destination::sign || v.destination == Destination::f32_sign;
  const auto out_pixels = static_cast<std::size_t>(s.out_pixels());
  const auto outputs = static_cast<std::size_t>(s.output_count());
  const std::int64_t stride = s.out_channels + v.gap;

  Ledger ledger(implementation.device());
  const OperandFormat format = implementation.source_format(problem);
  std::vector<std::byte> signs_of_map(static_cast<std::size_t>(s.in_pixels()) * format.bytes_per_pixel());
  sign_pass(format, problem.zero_rule, s.in_pixels(), {layer.map.data(), s.in_channels}, {}, signs_of_map.data(),
            v.threads);
  const Guarded source(ledger, signs_of_map);

  Weights weights{layer.weights, layer.epilogue};
  const std::int64_t next_groups = v.next_form == OperandForm::bits ? s.groups : 1;
  weights.epilogue.next = {v.next_form, s.out_channels, next_groups, v.next_offset};
  Context context{ledger, v.threads};
  const auto plan = implementation.prepare(problem, weights, context);
  EXPECT_FALSE(plan->kernel().isa.empty() && plan->kernel().library.empty());
  EXPECT_FALSE(plan->kernel().library.starts_with("ref")) << plan->kernel().library;  // oneDNN's name for "slow"
  weights.values = {};  // a plan keeps no reference

  for (int run = 0; run < 2; ++run) {
    const Guarded workspace(ledger, plan->workspace_bytes());
    const Guarded sum_map(ledger, sums ? outputs * size_of(plan->sum_type()) : 0);
    std::vector<std::uint32_t> before(values ? out_pixels * static_cast<std::size_t>(stride) : 0, 0xFFFFFFFFU);
    if (v.in_place)
      for (std::int64_t i = 0; i < s.output_count(); ++i)
        before[static_cast<std::size_t>(i / s.out_channels * stride + i % s.out_channels)] =
            std::bit_cast<std::uint32_t>(0.7F);
    const auto before_bytes = std::as_bytes(std::span(before));
    const Guarded value_map(ledger, std::vector<std::byte>(before_bytes.begin(), before_bytes.end()));
    const Guarded operand(ledger, signs ? out_pixels * weights.epilogue.next.bytes_per_pixel() : 0);
    Output output;
    if (sums) output.sums = sum_map.data();
    if (values) output.values = {reinterpret_cast<float*>(value_map.data()), stride};
    if (signs) output.signs = operand.data();
    if (v.in_place) output.addend = {output.values.data, stride};
    plan->run(source.data(), output, workspace.data());

    ASSERT_TRUE(source.intact() && workspace.intact() && sum_map.intact() && value_map.intact() && operand.intact());
    ASSERT_EQ(source.read<std::byte>(), signs_of_map) << "the source was modified";
    const std::vector<double> found = read_sums(*plan, sum_map);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<double>(layer.sums[i])) << "sum " << i;
    if (values) check_values(layer, value_map, v);
    if (signs) {
      std::vector<std::int8_t> decoded(outputs);
      decode_signs(weights.epilogue.next, s.out_pixels(), operand.read<std::byte>().data(), decoded.data());
      for (std::size_t i = 0; i < outputs; ++i) ASSERT_EQ(decoded[i], layer.signs[i]) << i << ", sum " << layer.sums[i];
    }
  }
}

class EveryImplementation : public testing::TestWithParam<const Implementation*> {
 protected:
  void SetUp() override {
    const Support support = GetParam()->available(this_machine());
    if (!support) GTEST_SKIP() << to_string(support.status) << ": " << support.reason;
  }

  /// False, with the reason checked, where it does not compute such problems.
  static bool supported(const ConvProblem& problem) {
    const Support support = GetParam()->supports(problem, this_machine());
    if (support) return true;
    EXPECT_EQ(support.status, Support::Status::unsupported);
    EXPECT_FALSE(support.reason.empty());
    EXPECT_NE(GetParam()->info().arithmetic, "xnor") << to_text(problem) << ": " << support.reason;
    return false;
  }
};

TEST_P(EveryImplementation, GivesTheOraclesResultOnTrapShapes) {
  Random random(31);
  std::size_t cases = 0;
  for (const std::string& shape : trap_shapes())
    for (PadValue pad : all_pads)
      for (ZeroRule rule : {ZeroRule::plus, ZeroRule::minus}) {
        ConvProblem problem = parse_problem(shape);
        problem.pad_value = pad;
        problem.zero_rule = rule;
        if (!supported(problem)) continue;
        const Layer layer(problem, random);
        for (Destination destination : all_destinations) check(*GetParam(), layer, {.destination = destination});
        // In turn, but each shape once: on a busy machine every start of a thread takes milliseconds.
        if (cases++ % 5 == 0) check(*GetParam(), layer, {.destination = all_destinations[cases / 5 % 4], .threads = 2});
        if (HasFailure()) return;
      }
  EXPECT_GT(cases, trap_shapes().size()) << "it supports too little to be worth a place in the list";
}

/// |sum| near K, where narrow counters overflow and random data never comes: all-equal inputs and
/// weights with a few signs flipped.
TEST_P(EveryImplementation, GivesTheOraclesSumsNearK) {
  Random random(32);
  for (const char* shape : {"ic8192_ih3_oc5_kh3_ph1", "ic1984_oc5", "ic1985_oc5", "ic2048_iw2_oc5",
                            "ic40_ih4_oc4_kh3_ph1", "ic256_ih4_oc3_kh3_ph1", "ic64_ih4_oc8_kh5_ph2_g2"})
    for (float sign : {1.0F, -1.0F})
      for (PadValue pad : all_pads) {
        ConvProblem problem = parse_problem(shape);
        problem.pad_value = pad;
        if (!supported(problem)) continue;
        Layer layer(problem, random);
        layer.map.assign(layer.map.size(), sign);
        layer.weights.assign(layer.weights.size(), 1.0F);
        for (int flips = 0; flips < 3; ++flips) {
          layer.evaluate();
          for (Destination destination : all_destinations) check(*GetParam(), layer, {.destination = destination});
          if (HasFailure()) return;
          layer.map[static_cast<std::size_t>(random.below(problem.shape.input_count()))] *= -1.0F;
          layer.weights[static_cast<std::size_t>(random.below(problem.shape.weight_count()))] *= -1.0F;
        }
      }
}

/// As a residual network needs it: values added into a slice of a wider map, signs for either form of
/// next layer.
TEST_P(EveryImplementation, WritesSlicesAddsInPlaceAndBinarisesForAnyNextLayer) {
  Random random(33);
  for (const char* shape : {"n2_ic33_ih5_iw4_oc65_kh3_ph1", "ic64_ih12_iw11_oc128_kh3_ph1_zerominus",
                            "ic64_ih6_oc130_kh3_ph1_sh2_g2", "ic48_ih5_oc63_pad1"}) {
    const ConvProblem problem = parse_problem(shape);
    if (!supported(problem)) continue;
    const Layer layer(problem, random);
    for (int threads : {1, 2})
      for (std::int64_t gap : {0, 5}) {
        check(*GetParam(), layer, {.destination = Destination::f32, .threads = threads, .gap = gap});
        check(*GetParam(), layer, {.destination = Destination::f32, .threads = threads, .gap = gap, .in_place = true});
        for (Destination destination : {Destination::sign, Destination::f32_sign}) {
          check(*GetParam(), layer, {.destination = destination, .threads = threads, .gap = gap});
          for (float offset : {-1.0F, 0.0F, 1.0F})
            check(*GetParam(), layer, {destination, threads, gap, false, OperandForm::f32, offset});
        }
        if (HasFailure()) return;
      }
  }
}

std::string name_of(const testing::TestParamInfo<const Implementation*>& info) { return info.param->info().name; }

INSTANTIATE_TEST_SUITE_P(All, EveryImplementation,
                         testing::ValuesIn(all_implementations().begin(), all_implementations().end()), name_of);

}  // namespace
}  // namespace xnorbench
