// What all implementations are compared with must itself be right: the oracle against sums counted
// by hand, and the oracle and every implementation against layers that Torch7 and bnn.torch
// computed (tests/data/torch7_layers; tensors C, H, W; pad -1; sign(0) = -1).
#include "reference/oracle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/implementation.h"
#include "core/sign.h"

namespace xnorbench {
namespace {

using Signs = std::vector<std::int8_t>;
using Sums = std::vector<std::int64_t>;

Sums all_plus(const std::string& text) {
  const ConvProblem problem = parse_problem(text);
  const Signs signs(static_cast<std::size_t>(problem.shape.input_count()), 1);
  const std::vector<float> weights(static_cast<std::size_t>(problem.shape.weight_count()), 1.0F);
  return oracle_sums(problem, signs, weights);
}

TEST(Oracle, GivesTheExampleOfTheDesignForEachPadValue) {
  // corner, edge, corner, edge, centre, ... of a 3x3 tensor
  EXPECT_EQ(all_plus("ic32_ih3_kh3_ph1_pad0"), (Sums{128, 192, 128, 192, 288, 192, 128, 192, 128}));
  EXPECT_EQ(all_plus("ic32_ih3_kh3_ph1_pad1"), Sums(9, 288));
  EXPECT_EQ(all_plus("ic32_ih3_kh3_ph1_pad-1"), (Sums{-32, 96, -32, 96, 288, 96, -32, 96, -32}));
}

TEST(Oracle, ReadsMapsChannelsLastAndWeightsByChannelThenRowThenColumn) {
  // 2 channels, 1x2 tensor, one 1x2 kernel; a single -1 against a single -1 moves through all
  // places.
  const ConvProblem problem = parse_problem("ic2_ih1_iw2_kh1_kw2");
  for (std::size_t x = 0; x < 2; ++x)
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t weight = 0; weight < 4; ++weight) {
        Signs signs(4, 1);
        signs[x * 2 + c] = -1;
        std::vector<float> weights(4, 1.0F);
        weights[weight] = -1.0F;
        const bool meet = weight == c * 2 + x;
        EXPECT_EQ(oracle_sums(problem, signs, weights), Sums{meet ? 4 : 0})
            << x << " " << c << " " << weight;
      }
}

TEST(Oracle, ConvolvesWithoutFlippingTheKernel) {
  const ConvProblem problem = parse_problem("ih3_kh2");
  const Signs tensor{-1, 1, 1, 1, 1, 1, 1, 1, -1};
  const std::vector<float> weights{-1, 1, 1, 1};
  EXPECT_EQ(oracle_sums(problem, tensor, weights), (Sums{4, 2, 2, 0}));
}

TEST(Oracle, KeepsGroupsApart) {
  // Channels 0, 1 make output 0; channels 2, 3 make output 1.
  const ConvProblem problem = parse_problem("ic4_oc2_g2");
  EXPECT_EQ(oracle_sums(problem, Signs{1, 1, -1, -1}, std::vector<float>{1, 1, 1, 1}),
            (Sums{2, -2}));
  EXPECT_EQ(oracle_sums(problem, Signs{1, -1, -1, 1}, std::vector<float>{1, -1, -1, -1}),
            (Sums{2, 0}));
  const ConvProblem depthwise = parse_problem("ic3_oc6_g3");
  EXPECT_EQ(oracle_sums(depthwise, Signs{1, -1, 1}, std::vector<float>{1, -1, 1, -1, 1, -1}),
            (Sums{1, -1, -1, 1, 1, -1}));
}

TEST(Oracle, StepsByTheStrideOfEachAxis) {
  // A 4x6 tensor whose columns 0 and 3 are -1: stride 3 sees only them.
  Signs tensor(24, 1);
  for (std::size_t y = 0; y < 4; ++y) tensor[y * 6] = tensor[y * 6 + 3] = -1;
  EXPECT_EQ(oracle_sums(parse_problem("ih4_iw6_sh2_sw3"), tensor, std::vector<float>{1}),
            Sums(4, -1));
  // Stride 2 along the row sees columns 0, 2, 4.
  EXPECT_EQ(oracle_sums(parse_problem("ih4_iw6_sh3_sw2"), tensor, std::vector<float>{1}),
            (Sums{-1, 1, 1, -1, 1, 1}));
}

TEST(Oracle, SpreadsTheTapsByTheDilation) {
  // 5 wide, -1 at 0 and 4; a 1x3 kernel with dilation 2 has its taps at 0, 2, 4.
  const Signs tensor{-1, 1, 1, 1, -1};
  EXPECT_EQ(oracle_sums(parse_problem("ih1_iw5_kw3_dw2"), tensor, std::vector<float>{1, 1, 1}),
            Sums{-1});
  EXPECT_EQ(oracle_sums(parse_problem("ih1_iw5_kw3"), tensor, std::vector<float>{1, 1, 1}),
            (Sums{1, 3, 1}));
  // Padding by one dilated step: windows {out, 0, 2}, {out, 1, 3}, {0, 2, 4}, {1, 3, out}, {2, 4,
  // out}.
  EXPECT_EQ(oracle_sums(parse_problem("ih1_iw5_kw3_dw2_pw2"), tensor, std::vector<float>{1, 1, 1}),
            (Sums{0, 2, -1, 2, 0}));
}

TEST(Oracle, HandlesRectangularKernelsAndPads) {
  // A column of three ones, a 3x1 kernel, one row of padding above and below and none beside.
  EXPECT_EQ(all_plus("ih3_iw2_kh3_kw1_ph1_pw0_pad-1"), (Sums{1, 1, 3, 3, 1, 1}));
  EXPECT_EQ(all_plus("ih2_iw3_kh1_kw3_ph0_pw1_pad0"), (Sums{2, 3, 2, 2, 3, 2}));
  EXPECT_EQ(all_plus("ih1_kh3_ph3_pad-1").size(), 25U);
  EXPECT_EQ(all_plus("ih1_kh3_ph3_pad-1")[0], -9) << "a window that lies in the padding alone";
}

TEST(Oracle, TakesImagesOfABatchOneByOne) {
  EXPECT_EQ(oracle_sums(parse_problem("n2_ih1_iw2_kw3_pw1"), Signs{1, 1, -1, -1},
                        std::vector<float>{1, 1, 1}),
            (Sums{2, 2, -2, -2}));
}

TEST(Oracle, BinarisesWeightsByTheZeroRule) {
  const std::vector<float> weights{0.0F, -0.0F, 0.5F, -0.5F};
  EXPECT_EQ(oracle_sums(parse_problem("ic4_zeroplus"), Signs(4, 1), weights), Sums{2});
  EXPECT_EQ(oracle_sums(parse_problem("ic4_zerominus"), Signs(4, 1), weights), Sums{-2});
  EXPECT_EQ(to_signs(weights, ZeroRule::plus), (Signs{1, 1, 1, -1}));
  EXPECT_EQ(to_signs(weights, ZeroRule::minus), (Signs{-1, -1, 1, -1}));
}

// ---- Torch7
// -----------------------------------------------------------------------------------------

const std::filesystem::path folder = std::filesystem::path(XNORBENCH_TEST_DATA) / "torch7_layers";

template <typename T>
std::vector<T> read(const std::string& file) {
  std::ifstream stream(folder / file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + (folder / file).string());
  std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// C, H, W to H, W, C.
template <typename T>
std::vector<T> channels_last(const std::vector<T>& planes, std::int64_t channels) {
  std::vector<T> result;
  const std::size_t pixels = planes.size() / static_cast<std::size_t>(channels);
  for (std::size_t p = 0; p < pixels; ++p)
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
      result.push_back(planes[c * pixels + p]);
  return result;
}

struct TorchLayer {
  ConvProblem problem;
  std::vector<float> tensor, weights, alpha,
      values;  // alpha and values are empty in the odd* fixtures
  std::vector<std::int16_t> sums;

  explicit TorchLayer(const std::string& name) {
    const nlohmann::json json = nlohmann::json::parse(read<char>(name + ".json"));
    auto size = [&json](const char* key) { return json.at(key).get<std::int64_t>(); };
    const auto sum_planes =
        read<std::int16_t>(name + ".dots.bin");  // as high and wide as the input
    const std::int64_t out_channels =
        static_cast<std::int64_t>(sum_planes.size()) / (size("H") * size("W"));
    problem =
        parse_problem(fmt::format("ic{}_ih{}_iw{}_oc{}_kh{}_ph{}_pad-1_zerominus", size("inp"),
                                  size("H"), size("W"), out_channels, size("k"), size("pad")));
    EXPECT_EQ(problem.shape.k(), size("K"));
    tensor = channels_last(read<float>(name + ".in.bin"), problem.shape.in_channels);
    sums = channels_last(sum_planes, out_channels);
    if (json.contains("weight"))
      unpack_weights(read<std::uint32_t>(name + ".weight.bin"));
    else
      weights = read<float>(name + ".w.bin");
    if (json.contains("alpha")) {
      alpha = read<float>(name + ".alpha.bin");
      values = channels_last(read<float>(name + ".out.bin"), out_channels);
      // bnn.torch negates a float count, so that its zeros are -0.0; an integer sum has only one 0.
      for (float& value : values) value += 0.0F;
    }
  }

  /// bnn.torch: bit k of word j is 1 where weight 32j + k is above 0.
  void unpack_weights(const std::vector<std::uint32_t>& words) {
    for (std::uint32_t word : words)
      for (int bit = 0; bit < 32; ++bit) weights.push_back((word >> bit) & 1 ? 1.0F : -1.0F);
  }
};

/// The sums (acc) or values (f32) of one implementation.
std::vector<float> run(const Implementation& implementation, const TorchLayer& layer,
                       Destination destination) {
  ConvProblem problem = layer.problem;
  problem.destination = destination;
  const ConvShape& s = problem.shape;
  Ledger ledger;
  const PackedFormat format = implementation.source_format(problem);
  const Buffer source = ledger.allocate(
      Category::activations_bits,
      static_cast<std::size_t>(s.in_pixels()) * format.bytes_per_pixel(), "packed input");
  sign_pass(format, problem.zero_rule, s.in_pixels(), {layer.tensor.data(), s.in_channels}, {},
            source.data(), 1);
  Weights weights{layer.weights, {}};
  weights.epilogue.alpha = layer.alpha;
  Context context{ledger, 1};
  const auto plan = implementation.prepare(problem, weights, context);
  const Buffer workspace =
      ledger.allocate(Category::workspace_columns, plan->workspace_bytes(), "workspace");
  std::vector<float> result(static_cast<std::size_t>(s.output_count()));
  const Buffer sums = ledger.allocate(Category::input_output, result.size() * 4, "sums");
  Output output;
  if (destination == Destination::acc)
    output.sums = sums.data();
  else
    output.values = {result.data(), s.out_channels};
  plan->run(source.data(), output, workspace.data());
  for (std::size_t i = 0; output.sums && i < result.size(); ++i)
    result[i] = plan->sum_type() == SumType::f32   ? sums.as<float>()[i]
                : plan->sum_type() == SumType::i16 ? static_cast<float>(sums.as<std::int16_t>()[i])
                                                   : static_cast<float>(sums.as<std::int32_t>()[i]);
  return result;
}

class Torch7Layer : public testing::TestWithParam<const char*> {};

TEST_P(Torch7Layer, HasTheSumsOfTheOracle) {
  const TorchLayer layer(GetParam());
  ASSERT_EQ(layer.weights.size(), static_cast<std::size_t>(layer.problem.shape.weight_count()));
  const Sums sums =
      oracle_sums(layer.problem, to_signs(layer.tensor, ZeroRule::minus), layer.weights);
  EXPECT_EQ(sums, Sums(layer.sums.begin(), layer.sums.end()));
}

TEST_P(Torch7Layer, HasTheSumsAndScaledValuesOfEveryImplementation) {
  const TorchLayer layer(GetParam());
  for (const Implementation* implementation : find_implementations("cpu_*")) {
    if (!implementation->supports(layer.problem, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    EXPECT_EQ(run(*implementation, layer, Destination::acc),
              std::vector<float>(layer.sums.begin(), layer.sums.end()));
    if (layer.values.empty()) continue;
    const std::vector<float> values = run(*implementation, layer, Destination::f32);
    ASSERT_EQ(values.size(), layer.values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]),
                std::bit_cast<std::uint32_t>(layer.values[i]))
          << i;
  }
}

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(All, Torch7Layer,
                         testing::Values("l64_32_k3_8x6", "l64_128_k1_8x6", "l128_64_k3_8x6",
                                         "odd48_32_k3", "odd40_16_k3"),
                         name_of);

}  // namespace
}  // namespace xnorbench
