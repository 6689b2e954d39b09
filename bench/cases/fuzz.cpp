#include "bench/cases/fuzz.h"

#include <algorithm>

namespace xnorbench {
namespace {

template <typename T, std::size_t n>
T pick(const T (&values)[n], Random& random) {
  return values[random.below(static_cast<std::int64_t>(n))];
}

/// Any kernel extent must fit the padded input.
void make_kernel_fit(std::int64_t& in, std::int64_t pad, std::int64_t kernel,
                     std::int64_t dilation) {
  in = std::max(in, dilation * (kernel - 1) + 1 - 2 * pad);
}

ConvShape random_shape(Random& random) {
  constexpr std::int64_t channels[] = {1,  2,  3,  7,   16,  31,  32,  33,  48, 63,
                                       64, 65, 72, 100, 127, 128, 130, 192, 256};
  constexpr std::int64_t group_counts[] = {2, 3, 4, 8};
  ConvShape s;
  s.batch = random.one_in(3) ? 1 + random.below(3) : 1;
  s.in_channels = pick(channels, random);
  s.out_channels = 1 + random.below(20);
  s.in_height = 1 + random.below(9);
  s.in_width = 1 + random.below(9);
  s.kernel_height = 1 + random.below(5);
  s.kernel_width = random.one_in(3) ? 1 + random.below(5) : s.kernel_height;
  s.stride_height = random.one_in(3) ? 1 + random.below(3) : 1;
  s.stride_width = random.one_in(4) ? 1 + random.below(3) : s.stride_height;
  s.pad_height = random.below(3);
  s.pad_width = random.one_in(4) ? random.below(4) : s.pad_height;
  s.dilation_height = random.one_in(4) ? 1 + random.below(3) : 1;
  s.dilation_width = random.one_in(4) ? 1 + random.below(3) : s.dilation_height;
  if (random.one_in(4)) {
    s.groups = random.one_in(4) ? s.in_channels : pick(group_counts, random);
    s.in_channels = (s.in_channels + s.groups - 1) / s.groups * s.groups;
    s.out_channels = s.groups * (1 + random.below(3));
  }
  return s;
}

/// K is so long that 16-bit sums overflow, and that 8-bit counters must be added up many times.
ConvShape random_long_shape(Random& random) {
  ConvShape s;
  s.in_channels = 7300 + random.below(1000);
  s.kernel_height = s.kernel_width = 3;
  s.in_height = 1 + random.below(3);
  s.in_width = 3;
  s.pad_height = 1;
  s.pad_width = random.below(2);
  s.out_channels = 1 + random.below(5);
  return s;
}

}  // namespace

ConvProblem random_problem(Random& random) {
  constexpr PadValue pads[] = {PadValue::minus_one, PadValue::zero, PadValue::plus_one};
  constexpr Destination destinations[] = {Destination::acc, Destination::f32, Destination::sign,
                                          Destination::f32_sign};
  ConvProblem problem;
  ConvShape& s = problem.shape;
  s = random.one_in(8) ? random_long_shape(random) : random_shape(random);
  make_kernel_fit(s.in_height, s.pad_height, s.kernel_height, s.dilation_height);
  make_kernel_fit(s.in_width, s.pad_width, s.kernel_width, s.dilation_width);
  problem.pad_value = pick(pads, random);
  problem.zero_rule = random.one_in(2) ? ZeroRule::plus : ZeroRule::minus;
  problem.source = random.one_in(2) ? Source::sign : Source::f32;
  problem.destination = pick(destinations, random);
  return problem;
}

std::vector<ConvProblem> trap_problems() {
  // Sizes that are no multiple of a word or a tile, borders with each padding value, narrow sums,
  // and shapes that other programs ran in float without saying so.
  constexpr const char* texts[] = {
      "ic1_oc1",
      "ic3_ih5_oc2_kh3_ph1_pad-1",
      "ic16_ih6_oc16_kh3_ph1_pad1",
      "ic31_ih4_oc3_kh3",
      "ic32_ih4_oc4_kh3_ph1",
      "ic33_ih4_oc5_kh3_ph1_pad-1_zerominus",
      "ic48_ih7_oc32_kh3_ph1_pad-1_zerominus",
      "ic63_ih4_oc7_kh3_ph1",
      "ic64_ih8_oc64_kh3_ph1_pad-1_zerominus_dstf32",
      "ic65_ih4_oc9_kh3_ph1_pad1_dstsign",
      "ic72_ih5_oc8_kh3_ph1_dstf32sign",
      "ic100_ih10_oc100_srcf32_dstf32",
      "ic192_ih7_oc65_srcf32_dstsign_zerominus",
      "ic1000_ih3_oc10_kh3_ph1",
      "ic2192_oc33",
      "ic32_ih5_oc6_kh3_kw1_ph1_pw0_pad-1",
      "ic32_ih9_iw6_oc6_kh5_kw3_sh2_sw1_ph2_pw1_pad1",
      "ic64_ih7_oc8_kh3_sh2_ph1",
      "ic64_ih9_oc8_kh3_dh2_ph2_pad-1",
      "ic64_ih9_oc8_kh3_dh3_dw1_ph3_pw1",
      "ic64_ih6_oc64_kh3_ph1_g64",
      "ic96_ih6_oc48_kh3_ph1_g3_pad-1",
      "ic6_ih6_oc6_kh3_ph1_g2_pad1_srcf32_dstf32sign",
      "ic129_ih2_iw4_oc6_kh4_ph1_pw0_g3_srcf32",
      "n3_ic40_ih5_oc12_kh3_ph1_pad-1_zerominus_srcf32_dstf32sign",
      "ic256_ih1_oc256",
      "n5_ic65_ih3_iw7_oc33",
      "n3_ic40_oc12_pad1_srcf32_dstsign",
      "ic3_ih15_oc8_kh7_sh2_ph3",
      "ic32_ih2_oc4_kh3_ph3_pad-1",
      "ic8192_ih3_oc3_kh3_ph1_pad-1",
      "ic8192_ih2_oc3_kh3_ph1_dstf32sign",
      "ic65600_oc2_dstsign",
  };
  std::vector<ConvProblem> problems;
  for (const char* text : texts) problems.push_back(parse_problem(text));
  return problems;
}

}  // namespace xnorbench
