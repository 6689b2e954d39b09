// The vector kernels where their own structure could break: counters at their limits, K at every
// boundary of steps, flushes and parts, and every edge of the tiles.
#include "tests/layer_check.h"

namespace xnorbench {
namespace {

class SimdKernel : public testing::TestWithParam<Isa> {
 protected:
  static void check(const Layer& layer, Variant variant) {
    variant.isa = GetParam();
    const Implementation& simd = *find_implementations("cpu_xnor_simd").front();
    xnorbench::check(simd, layer, variant);
  }

  /// All inputs one sign and all weights another: every counter runs to its limit or stays 0.
  static void check_equal(const std::string& shape, PadValue pad, float input_sign,
                          float weight_sign) {
    ConvProblem problem = parse_problem(shape);
    problem.pad_value = pad;
    Random random(51);
    Layer layer(problem, random);
    layer.tensor.assign(layer.tensor.size(), input_sign);
    layer.weights.assign(layer.weights.size(), weight_sign);
    layer.evaluate();
    check(layer, {});
    check(layer, {.destination = Destination::sign});
  }
};

// 4 to a unit, 12 to a step, 252 to a flush of the pair table; 32 to a unit of the other kernel;
// 32766 to sums of 16 bits; 65535 to a count.
TEST_P(SimdKernel, CountsAtTheLimitsOfItsCounters) {
  for (std::int64_t k :
       {1,     3,     4,     5,     11,    12,    13,    31,    32,    33,    63,    64,
        65,    247,   248,   251,   252,   253,   255,   256,   257,   264,   503,   504,
        505,   1023,  1024,  1025,  2047,  2048,  4095,  4096,  8191,  16384, 32764, 32765,
        32766, 32767, 32768, 32769, 65532, 65534, 65535, 65536, 65537, 70000, 131073})
    for (float input : {1.0F, -1.0F})
      for (float weight : {1.0F, -1.0F}) {
        check_equal(fmt::format("ic{}_ih1_iw3_oc3", k), PadValue::zero, input, weight);
        if (HasFailure()) return;
      }
}

TEST_P(SimdKernel, CountsOverTheTapsOfAWindow) {
  for (std::int64_t channels : {4, 20, 21, 28, 84, 85, 252, 255, 256, 3640, 3641, 7282})
    for (PadValue pad : all_pads)
      for (float input : {1.0F, -1.0F}) {
        check_equal(fmt::format("ic{}_ih3_iw4_oc5_kh3_ph1", channels), pad, input, -1.0F);
        if (HasFailure()) return;
      }
}

TEST_P(SimdKernel, IsRightAtEveryEdgeOfItsTiles) {
  Random random(52);
  for (std::int64_t width = 1; width <= 15; ++width)
    for (std::int64_t out_channels :
         {1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 97, 127, 128, 129, 160, 192, 256, 257}) {
      const Layer layer(
          parse_problem(fmt::format("ic36_ih2_iw{}_oc{}_kh1_kw3_pw1", width, out_channels)),
          random);
      check(layer, {});
      check(layer, {.destination = Destination::f32_sign});
      if (HasFailure()) return;
    }
}

TEST_P(SimdKernel, IsRightAtEveryEdgeOfItsBands) {
  Random random(53);
  for (const char* shape :
       {"ic64_ih17_iw63_oc32_kh3_ph1", "ic64_ih9_iw64_oc64_kh3_ph1", "ic64_ih8_iw65_oc32_kh3_ph1",
        "ic33_ih2_iw129_oc3_kh3_ph1_sh2", "n3_ic40_ih7_iw130_oc5_kh2_ph1_dh2",
        "n2_ic32_ih9_iw15_oc40", "ic128_ih1_iw200_oc64_kh1_kw5_pw2", "n65_ic8_ih1_oc8",
        "ic600_ih20_oc33_kh5_ph2_pad-1"})
    for (int threads : {1, 2})
      for (Destination destination : all_destinations) {
        const Layer layer(parse_problem(shape), random);
        check(layer, {.destination = destination, .threads = threads});
        if (HasFailure()) return;
      }
}

TEST_P(SimdKernel, TakesAnyStrideDilationAndGroup) {
  Random random(54);
  for (std::int64_t stride = 1; stride <= 4; ++stride)
    for (std::int64_t dilation = 1; dilation <= 3; ++dilation)
      for (std::int64_t groups : {1, 2, 3})
        for (PadValue pad : all_pads) {
          ConvProblem problem =
              parse_problem(fmt::format("ic{}_ih9_iw14_oc{}_kh3_ph2_sh{}_dh{}_g{}", groups * 37,
                                        groups * 33, stride, dilation, groups));
          problem.pad_value = pad;
          const Layer layer(problem, random);
          check(layer, {});
          if (HasFailure()) return;
        }
}

std::vector<Isa> isas_with_a_kernel() {
  const Implementation& simd = *find_implementations("cpu_xnor_simd").front();
  std::vector<Isa> isas = find_isas(this_machine());
  std::erase_if(isas, [&](Isa isa) { return !simd.available(restrict_to(this_machine(), isa)); });
  return isas;
}

INSTANTIATE_TEST_SUITE_P(Isa, SimdKernel, testing::ValuesIn(isas_with_a_kernel()),
                         [](const auto& info) { return to_string(info.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimdKernel);

}  // namespace
}  // namespace xnorbench
