// A problem is one readable text: benchmark name, line of a shape file, repro line of a failing
// check. So what is printed must parse back to the same problem, in any order of fields, and what
// cannot be computed must be refused with a message that names the field.
#include "core/problem.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random.h"

namespace xnorbench {
namespace {

constexpr std::array all_destinations{Destination::acc, Destination::f32, Destination::sign,
                                      Destination::f32_sign};

ConvProblem random_problem(Random& random) {
  ConvProblem problem;
  ConvShape& s = problem.shape;
  auto size = [&](std::int64_t largest) {
    return random.one_in(3) ? 1 : 1 + random.below(largest);
  };
  s.groups = size(4);
  s.batch = size(9);
  s.in_channels = s.groups * size(300);
  s.out_channels = s.groups * size(300);
  s.in_height = size(80);
  s.in_width = random.one_in(2) ? s.in_height : size(80);
  s.stride_height = size(4);
  s.stride_width = random.one_in(2) ? s.stride_height : size(4);
  s.pad_height = random.below(4);
  s.pad_width = random.one_in(2) ? s.pad_height : random.below(4);
  s.dilation_height = size(4);
  s.dilation_width = random.one_in(2) ? s.dilation_height : size(4);
  // The largest kernel that still fits the padded input.
  s.kernel_height = size((s.in_height + 2 * s.pad_height - 1) / s.dilation_height + 1);
  s.kernel_width = size((s.in_width + 2 * s.pad_width - 1) / s.dilation_width + 1);
  problem.pad_value = static_cast<PadValue>(random.below(3) - 1);
  problem.zero_rule = random.one_in(2) ? ZeroRule::plus : ZeroRule::minus;
  problem.source = random.one_in(2) ? Source::sign : Source::f32;
  problem.destination = all_destinations[static_cast<std::size_t>(random.below(4))];
  return problem;
}

std::vector<std::string> fields_of(const std::string& text) {
  std::vector<std::string> fields(1);
  for (char c : text) {
    if (c == '_')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// The message of the InputError that `text` must cause.
std::string error_of(const std::string& text) {
  try {
    parse_problem(text);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "'" << text << "' was accepted";
  return {};
}

void expect_error(const std::string& text, const std::string& part) {
  const std::string message = error_of(text);
  EXPECT_NE(message.find(part), std::string::npos)
      << "'" << text << "' gave: " << message << "\nwithout: " << part;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
}

TEST(ProblemText, ParsesBackToTheSameProblem) {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const ConvProblem problem = random_problem(random);
    ASSERT_EQ(parse_problem(to_text(problem)), problem) << to_text(problem);
  }
}

TEST(ProblemText, DoesNotDependOnTheOrderOfFields) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const ConvProblem problem = random_problem(random);
    std::vector<std::string> fields = fields_of(to_text(problem));
    for (std::size_t n = fields.size(); n > 1; --n)
      std::swap(fields[n - 1],
                fields[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)))]);
    std::string shuffled;
    for (const std::string& field : fields) shuffled += (shuffled.empty() ? "" : "_") + field;
    ASSERT_EQ(parse_problem(shuffled), problem) << shuffled;
  }
}

TEST(ProblemText, LeavesDefaultsOut) {
  ConvProblem problem;
  EXPECT_EQ(to_text(problem), "ic1");  // nothing else would be left
  problem.shape.in_height = problem.shape.in_width = 5;
  EXPECT_EQ(to_text(problem), "ih5");
  problem.shape.in_width = 1;
  EXPECT_EQ(to_text(problem), "ih5_iw1")
      << "a width that is 1 while the height is not must be printed";
  problem.shape.kernel_height = 2;
  problem.shape.pad_width = 1;
  problem.source = Source::f32;
  problem.destination = Destination::f32_sign;
  problem.zero_rule = ZeroRule::minus;
  EXPECT_EQ(to_text(problem), "ih5_iw1_kh2_kw1_pw1_zerominus_srcf32_dstf32sign");
  EXPECT_EQ(
      parse_problem(
          "n1_ic1_ih5_iw5_oc1_kh1_kw1_sh1_sw1_ph0_pw0_dh1_dw1_g1_pad0_zeroplus_srcsign_dstacc"),
      parse_problem("ih5"));
}

TEST(ProblemText, ReadsTheExampleOfTheDesign) {
  const ConvProblem problem = parse_problem("n8_ic64_ih56_oc64_kh3_ph1_pad-1");
  ConvShape expected;
  expected.batch = 8;
  expected.in_channels = expected.out_channels = 64;
  expected.in_height = expected.in_width = 56;
  expected.kernel_height = expected.kernel_width = 3;
  expected.pad_height = expected.pad_width = 1;
  EXPECT_EQ(problem.shape, expected);
  EXPECT_EQ(problem.pad_value, PadValue::minus_one);
  EXPECT_EQ(problem.zero_rule, ZeroRule::plus);
  EXPECT_EQ(problem.source, Source::sign);
  EXPECT_EQ(problem.destination, Destination::acc);
  EXPECT_EQ(to_text(problem), "n8_ic64_ih56_oc64_kh3_ph1_pad-1");
}

TEST(ProblemText, NamesSourceAndDestinationAsItsFlagsDo) {
  for (Source source : {Source::sign, Source::f32})
    EXPECT_EQ(parse_source(to_string(source)), source);
  for (Destination destination : all_destinations)
    EXPECT_EQ(parse_destination(to_string(destination)), destination);
  EXPECT_THROW(parse_source("acc"), InputError);
  EXPECT_THROW(parse_destination(""), InputError);
}

TEST(OutputSize, RoundsTheLastPartialStepDown) {
  EXPECT_EQ(parse_problem("ih7_kh3_sh2").shape.out_height(), 3);
  EXPECT_EQ(parse_problem("ih8_kh3_sh2").shape.out_height(), 3);  // one row is left over
  EXPECT_EQ(parse_problem("ih8_kh3_sh2_ph1").shape.out_height(), 4);
  EXPECT_EQ(parse_problem("ih224_kh7_sh2_ph3").shape.out_width(), 112);
  EXPECT_EQ(parse_problem("ih7_kh3_dh3").shape.out_height(), 1);  // the kernel covers 7
  EXPECT_EQ(parse_problem("ih9_iw4_kh3_kw2_sh2_sw1_dh2_dw3").shape.out_height(), 3);
  EXPECT_EQ(parse_problem("ih9_iw4_kh3_kw2_sh2_sw1_dh2_dw3").shape.out_width(), 1);
  EXPECT_EQ(parse_problem("ih3_kh2_sh5").shape.out_height(), 1);
}

/// Positions where the whole kernel lies in the padded input, counted one by one.
TEST(OutputSize, CountsThePositionsOfTheKernel) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const ConvShape s = random_problem(random).shape;
    std::int64_t positions = 0;
    for (std::int64_t y = -s.pad_height;
         y + s.dilation_height * (s.kernel_height - 1) < s.in_height + s.pad_height;
         y += s.stride_height)
      ++positions;
    ASSERT_EQ(s.out_height(), positions);
  }
}

TEST(Shape, CountsKAndMultiplyAccumulatesWithPaddingTapsIncluded) {
  const ConvShape s = parse_problem("n2_ic48_ih8_iw6_oc32_kh3_kw5_ph1_pw2_g4").shape;
  EXPECT_EQ(s.k(), 3 * 5 * 12);  // of a group, never rounded up to a word
  EXPECT_EQ(s.out_pixels(), 2 * 8 * 6);
  EXPECT_EQ(s.output_count(), 2 * 8 * 6 * 32);
  EXPECT_EQ(s.weight_count(), 32 * 180);
  EXPECT_EQ(s.macs(), 2 * 8 * 6 * 32 * 180);
  EXPECT_TRUE(parse_problem("ic8_ih4").shape.is_pointwise());
  for (const char* text :
       {"ih4_sh2_sw1", "ih4_sw2", "ih4_ph1_pw0", "ih4_pw1", "ih4_kh2_kw1", "ih4_kw2"})
    EXPECT_FALSE(parse_problem(text).shape.is_pointwise()) << text;
}

TEST(BadProblem, WithAnUnknownFieldIsRefused) {
  for (const char* field : {"x3", "icc4", "i3", "IC64", "pad2", "pad-2", "pad", "zero", "zerominu",
                            "src", "dstsign2", "64", "-1"})
    expect_error(fmt::format("ic64_{}", field), fmt::format("'{}' is not a field", field));
}

TEST(BadProblem, WithAFieldGivenTwiceIsRefused) {
  for (const char* field :
       {"n", "ic", "ih", "iw", "oc", "kh", "kw", "sh", "sw", "ph", "pw", "dh", "dw", "g"}) {
    expect_error(fmt::format("{0}1_{0}1", field), fmt::format("'{}' is given twice", field));
  }
  expect_error("pad0_ih3_pad0", "'pad' is given twice");
  expect_error("pad-1_pad1", "'pad' is given twice");
  expect_error("zeroplus_zerominus", "'zero' is given twice");
  expect_error("srcsign_srcsign", "'src' is given twice");
  expect_error("dstf32_dstf32sign", "'dst' is given twice");
}

TEST(BadProblem, WithASizeBelowTheSmallestIsRefused) {
  for (const char* field : {"n", "ic", "ih", "iw", "oc", "kh", "kw", "sh", "sw", "dh", "dw", "g"}) {
    expect_error(fmt::format("{}0", field), fmt::format(": {} is 0", field));
    expect_error(fmt::format("{}-3", field), fmt::format(": {} is -3", field));
  }
  expect_error("ph-1", ": ph is -1");
  expect_error("ph1_pw-1", ": pw is -1");
  EXPECT_NO_THROW(parse_problem("ph0"));
}

TEST(BadProblem, WithANumberThatIsNoneIsRefused) {
  for (const char* field :
       {"ic", "ic6x4", "ic+4", "ic 4", "ic4 ", "ic4.5", "ic1e3", "ic0x10", "ic--4", "icten"})
    expect_error(field, field);
  expect_error("ic99999999999999999999", "'ic99999999999999999999' does not fit 64 bits");
  expect_error("ph-99999999999999999999", "ph-99999999999999999999");
  expect_error("ic9223372036854775807", ": ic is 9223372036854775807");
  expect_error("n1099511627777", ": n is 1099511627777");  // 2^40 + 1
}

TEST(BadProblem, WithAnEmptyFieldIsRefused) {
  for (const char* text : {"", "_", "ic64_", "_ic64", "ic64__oc64"})
    expect_error(text, "'' is not a field");
}

TEST(BadProblem, WithAKernelLargerThanThePaddedInputIsRefused) {
  expect_error("ih2_iw9_kh3", "along h");
  expect_error("ih9_iw2_kh3", "kw or dw smaller");
  expect_error("ih6_iw9_kh3_dh3", "the kernel covers 7 but the padded input is 6 along h");
  EXPECT_NO_THROW(parse_problem("ih1_kh3_ph1"));
  EXPECT_NO_THROW(parse_problem("ih7_kh3_dh3"));
}

TEST(BadProblem, WithChannelsThatDoNotDivideByGroupsIsRefused) {
  expect_error("ic6_oc8_g4", "ic (6) and oc (8) must be multiples of g (4)");
  expect_error("ic8_oc6_g4", "ic (8) and oc (6) must be multiples of g (4)");
  expect_error("ic1_oc1_g2", "multiples of g (2)");
}

TEST(BadProblem, WithSumsThatDoNotFit32BitsIsRefused) {
  EXPECT_NO_THROW(parse_problem("ic2147483646"));
  expect_error("ic2147483647", "K = kh*kw*ic/g is 2147483647");
  expect_error("ic1073741824_ih2_kh2_kw1", "K = kh*kw*ic/g is 2147483648");
  EXPECT_NO_THROW(parse_problem("ic4294967296_oc4_g4"));  // K is that of a group
}

TEST(BadProblem, WithCountsNearOverflowIsRefused) {
  expect_error("ih16777216_n1024", "the input is larger than 2^56");
  expect_error("ic65537_ih1048576", "the input is larger than 2^56");
  expect_error("n1099511627776_ic1099511627776",
               "the input is larger than 2^56");  // overflows 64 bits
  expect_error("ih16777216_oc1024", "the output is larger than 2^56");
  expect_error("ic1073741824_oc1073741824", "the weights is larger than 2^56");
  expect_error("ih16384_ic16384_oc16385", "the number of multiply-accumulates is larger than 2^56");
  expect_error("ih8_kh1099511627776_dh1099511627776", "dh * (kh - 1)");
  EXPECT_NO_THROW(parse_problem("ih16384_ic16384_oc16384"));  // exactly 2^56
}

TEST(BadProblem, IsRefusedByValidateToo) {
  ConvProblem problem;
  problem.shape.stride_width = 0;  // would divide by 0
  EXPECT_THROW(validate(problem), InputError);
  problem.shape.stride_width = 1;
  EXPECT_NO_THROW(validate(problem));
}

}  // namespace
}  // namespace xnorbench
