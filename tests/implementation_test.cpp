// Every implementation, on the shapes at which public kernels were wrong, against the oracle: sums
// exact, values and signs bit for bit, nothing written that was not asked for. What an
// implementation does not support it must say with a reason; our own bit kernels support
// everything.
#include "tests/layer_check.h"

namespace xnorbench {
namespace {

/// Trap shapes. Channel counts around the word and output counts around the register blocks are
/// crossed in trap_shapes().
constexpr std::array special_shapes{
    "ic64_ih3_oc5_kh3",  // one output pixel
    "ic33_ih8_iw7_oc5_kh3_ph1_sh2",
    "ic16_ih6_oc5_sh2",                          // stride; 1x1, but no pointwise matrix
    "ic48_ih7_iw9_oc3_kh3_kw5_sh2_sw3_ph2_pw1",  // everything rectangular
    "ic65_ih6_iw5_oc7_kh1_kw4_pw3",
    "ic3_ih9_iw2_oc4_kh5_kw1_sh3_sw1_ph2_pw0",
    "ic32_ih9_oc4_kh3_ph2_dh2",
    "ic31_ih11_iw9_oc5_kh3_ph3_dh3",  // dilation
    "ic65_ih9_oc3_kh3_ph2_pw3_dh2_dw3",
    "ic64_ih5_oc8_kh3_ph1_g2",
    "ic66_ih5_oc9_kh3_ph1_g3",  // groups
    "ic130_ih4_oc4_kh3_ph1_g2",
    "ic72_ih3_oc6_g3",
    "ic33_ih6_oc33_kh3_ph1_g33",
    "ic5_ih6_oc10_kh3_ph1_g5",  // depthwise
    "n3_ic33_ih5_iw4_oc5_kh3_ph1",
    "n3_ic72_ih3_oc7_kh3_ph1_sh2",  // batch
    "ic3_ih11_oc7_kh7_ph3_sh2",     // the stem of most networks
    "ic33_ih2_iw3_oc4_kh3_ph4_pw5",
    "ic1_ih1_oc1_kh3_ph3",  // windows that lie in the padding alone
    "ic64_ih13_iw11_oc5_kh3_ph1",
    "ic256_ih12_iw11_oc4_kh3_ph1",  // several tiles, several bands
    "ic100_iw100_oc100",
    "ic192_iw192_oc192",
    "ic1000_iw3_oc1000",            // products that are no power of two
    "ic8192_ih2_iw3_oc5_kh3_ph1"};  // K above 65536

std::vector<std::string> trap_shapes() {
  std::vector<std::string> shapes(special_shapes.begin(), special_shapes.end());
  constexpr std::array in_channels{1, 3, 31, 32, 33, 48, 63, 64, 65, 72};
  constexpr std::array out_channels{1, 3, 4, 5, 7};
  for (std::size_t i = 0; i < in_channels.size(); ++i) {
    shapes.push_back(fmt::format("ic{}_ih5_iw4_oc{}_kh3_ph1", in_channels[i],
                                 out_channels[i % out_channels.size()]));
    shapes.push_back(
        fmt::format("ic{}_ih3_oc{}", in_channels[i], out_channels[(i + 2) % out_channels.size()]));
  }
  return shapes;
}

/// An implementation, and the instruction set of what surrounds its sums; of our own vector code
/// also of the sums.
struct Choice {
  const Implementation* implementation;
  Isa isa;
};

class EveryImplementation : public testing::TestWithParam<Choice> {
 protected:
  void SetUp() override {
    const Support support = GetParam().implementation->available(this_machine());
    if (!support) GTEST_SKIP() << to_string(support.status) << ": " << support.reason;
  }

  static void check(const Layer& layer, Variant variant) {
    variant.isa = GetParam().isa;
    xnorbench::check(*GetParam().implementation, layer, variant);
  }

  /// False, with the reason checked, where it does not compute such problems.
  static bool supported(const ConvProblem& problem) {
    const Support support = GetParam().implementation->supports(problem, this_machine());
    if (support) return true;
    EXPECT_EQ(support.status, Support::Status::unsupported);
    EXPECT_FALSE(support.reason.empty());
    EXPECT_NE(GetParam().implementation->info().arithmetic, "xnor")
        << to_text(problem) << ": " << support.reason;
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
        for (Destination destination : all_destinations) check(layer, {.destination = destination});
        // In turn, but each shape once: on a busy machine every start of a thread takes
        // milliseconds.
        if (cases++ % 5 == 0)
          check(layer, {.destination = all_destinations[cases / 5 % 4], .threads = 2});
        if (HasFailure()) return;
      }
  EXPECT_GT(cases, trap_shapes().size())
      << "it supports too little to be worth a place in the list";
}

/// |sum| near K, where narrow counters overflow and random data never comes: all-equal inputs and
/// weights with a few signs flipped.
TEST_P(EveryImplementation, GivesTheOraclesSumsNearK) {
  Random random(32);
  for (const char* shape :
       {"ic8192_ih3_oc5_kh3_ph1", "ic1984_oc5", "ic1985_oc5", "ic2048_iw2_oc5",
        "ic40_ih4_oc4_kh3_ph1", "ic256_ih4_oc3_kh3_ph1", "ic64_ih4_oc8_kh5_ph2_g2"})
    for (float sign : {1.0F, -1.0F})
      for (PadValue pad : all_pads) {
        ConvProblem problem = parse_problem(shape);
        problem.pad_value = pad;
        if (!supported(problem)) continue;
        Layer layer(problem, random);
        layer.tensor.assign(layer.tensor.size(), sign);
        layer.weights.assign(layer.weights.size(), 1.0F);
        for (int flips = 0; flips < 3; ++flips) {
          layer.evaluate();
          for (Destination destination : all_destinations)
            check(layer, {.destination = destination});
          if (HasFailure()) return;
          layer.tensor[static_cast<std::size_t>(random.below(problem.shape.input_count()))] *=
              -1.0F;
          layer.weights[static_cast<std::size_t>(random.below(problem.shape.weight_count()))] *=
              -1.0F;
        }
      }
}

/// As a residual network needs it: values added into a slice of a wider tensor, signs for either
/// form of next layer.
TEST_P(EveryImplementation, WritesSlicesAddsInPlaceAndBinarisesForAnyNextLayer) {
  Random random(33);
  for (const char* shape :
       {"n2_ic33_ih5_iw4_oc65_kh3_ph1", "ic64_ih12_iw11_oc128_kh3_ph1_zerominus",
        "ic64_ih6_oc130_kh3_ph1_sh2_g2", "ic48_ih5_oc63_pad1"}) {
    const ConvProblem problem = parse_problem(shape);
    if (!supported(problem)) continue;
    const Layer layer(problem, random);
    for (int threads : {1, 2})
      for (std::int64_t gap : {0, 5}) {
        check(layer, {.destination = Destination::f32, .threads = threads, .gap = gap});
        check(layer,
              {.destination = Destination::f32, .threads = threads, .gap = gap, .in_place = true});
        if (GetParam().implementation->device().make_elementwise(threads)->write_signs_too())
          for (bool in_place : {true, false})
            check(layer, {.destination = Destination::f32_sign,
                          .threads = threads,
                          .gap = gap,
                          .in_place = in_place,
                          .value_signs = true});
        for (Destination destination : {Destination::sign, Destination::f32_sign}) {
          check(layer, {.destination = destination, .threads = threads, .gap = gap});
          for (float offset : {-1.0F, 0.0F, 1.0F})
            check(layer, {destination, threads, gap, false, PackedForm::f32, offset});
        }
        if (HasFailure()) return;
      }
  }
}

/// Every instruction set of this machine for our own kernels; what only surrounds a library is
/// tested by itself.
std::vector<Choice> all_choices() {
  std::vector<Choice> choices;
  for (const Implementation* implementation : all_implementations()) {
    // What the baseline does not run has vector code of its own.
    const bool own = implementation->info().device == "cpu" &&
                     !implementation->available(restrict_to(this_machine(), Isa::baseline));
    for (Isa isa : find_isas(this_machine()))
      if (own ? static_cast<bool>(implementation->available(restrict_to(this_machine(), isa)))
              : isa == best_isa())
        choices.push_back({implementation, isa});
  }
  return choices;
}

std::string name_of(const testing::TestParamInfo<Choice>& info) {
  const std::string& name = info.param.implementation->info().name;
  return info.param.isa == best_isa() ? name : name + "_" + to_string(info.param.isa);
}

INSTANTIATE_TEST_SUITE_P(All, EveryImplementation, testing::ValuesIn(all_choices()), name_of);

}  // namespace
}  // namespace xnorbench
