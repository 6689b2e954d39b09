// Tensors computed by Torch7 itself: batch norm, pool, upsampling and real convolutions give what
// nn gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cpu/host_elementwise.h"
#include "reference/float_backend.h"

namespace xnorbench {
namespace {

/// One module's parameters, input and output; tensors are turned from NCHW to channels-last.
struct Fixture {
  nlohmann::json layers;  ///< in order, fields named as in the module
  TensorShape in_shape, out_shape;
  std::vector<float> in, out;
};

std::vector<float> read_tensor(const std::string& file, const TensorShape& shape) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<float> nchw(static_cast<std::size_t>(shape.count()));
  stream.read(reinterpret_cast<char*>(nchw.data()),
              static_cast<std::streamsize>(nchw.size() * sizeof(float)));
  EXPECT_EQ(stream.gcount(), static_cast<std::streamsize>(nchw.size() * sizeof(float))) << file;
  std::vector<float> nhwc;
  const std::int64_t plane = shape.height * shape.width;
  for (std::int64_t n = 0; n < shape.batch; ++n)
    for (std::int64_t p = 0; p < plane; ++p)
      for (std::int64_t c = 0; c < shape.channels; ++c)
        nhwc.push_back(nchw[static_cast<std::size_t>((n * shape.channels + c) * plane + p)]);
  return nhwc;
}

Fixture read_fixture(const std::string& name) {
  const std::string folder = std::string(XNORBENCH_TEST_DATA) + "/torch7/";
  std::ifstream stream(folder + name + ".json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  auto shape = [&](const char* which) {
    const std::vector<std::int64_t> s = json.at(which).at("shape");
    return TensorShape{s.at(0), s.at(2), s.at(3), s.at(1)};
  };
  Fixture fixture{json.at("layers"), shape("input"), shape("output"), {}, {}};
  fixture.in = read_tensor(folder + name + ".in.bin", fixture.in_shape);
  fixture.out = read_tensor(folder + name + ".out.bin", fixture.out_shape);
  return fixture;
}

/// Within 1e-5 of the largest value.
void expect_near(const std::vector<float>& expected, const std::vector<float>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  float largest = 0.0F;
  for (float value : expected) largest = std::max(largest, std::fabs(value));
  EXPECT_GT(largest, 0.0F);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(expected[i], actual[i], 1e-5F * largest) << "at " << i;
}

Affine affine_of(const nlohmann::json& layer) {
  BatchNorm norm;
  norm.mean = layer.at("running_mean").get<std::vector<float>>();
  norm.variance = layer.at("running_var").get<std::vector<float>>();
  norm.gamma = layer.value("weight", std::vector<float>(norm.mean.size(), 1.0F));
  norm.beta = layer.value("bias", std::vector<float>(norm.mean.size(), 0.0F));
  norm.epsilon = layer.at("eps");
  return to_affine(norm);
}

std::vector<float> run_affine_relu(const TensorShape& shape, std::vector<float> tensor,
                                   const Affine& affine, bool relu) {
  HostElementwiseOperations(1).affine_relu(
      shape.pixels(), shape.channels, {tensor.data(), shape.channels},
      {affine.scale.data(), affine.shift.data()}, relu ? std::optional(0.0F) : std::nullopt,
      {tensor.data(), shape.channels});
  return tensor;
}

std::vector<float> run_convolution(FloatBackend kind, const Fixture& fixture, int threads) {
  const nlohmann::json& layer = fixture.layers.at(0);
  const TensorShape& in = fixture.in_shape;
  const ConvShape shape{.batch = in.batch,
                        .in_channels = in.channels,
                        .in_height = in.height,
                        .in_width = in.width,
                        .out_channels = layer.at("nOutputPlane"),
                        .kernel_height = layer.at("kH"),
                        .kernel_width = layer.at("kW"),
                        .stride_height = layer.at("dH"),
                        .stride_width = layer.at("dW"),
                        .pad_height = layer.at("padH"),
                        .pad_width = layer.at("padW")};
  const auto weights = layer.at("weight").get<std::vector<float>>();
  const auto bias = layer.at("bias").get<std::vector<float>>();
  Ledger ledger;
  Context context{ledger, threads};
  const auto convolution = make_real_convolution(kind, shape, weights, bias, context);
  const Buffer workspace =
      ledger.allocate(Category::workspace_library, convolution->workspace().total(), "test");
  std::vector<float> out(static_cast<std::size_t>(shape.output_count()));
  convolution->run(fixture.in.data(), out.data(), workspace.data());
  return out;
}

TEST(Torch7Modules, BatchNormWithAndWithoutGamma) {
  for (const char* name : {"bn_affine", "bn_noaffine_eps"}) {
    SCOPED_TRACE(name);
    const Fixture fixture = read_fixture(name);
    expect_near(fixture.out, run_affine_relu(fixture.in_shape, fixture.in,
                                             affine_of(fixture.layers.at(0)), false));
  }
}

TEST(Torch7Modules, AveragePoolDropsAnOddRowAndColumn) {
  const Fixture fixture = read_fixture("avgpool");
  std::vector<float> out(fixture.out.size());
  const TensorShape halved{fixture.in_shape.batch, fixture.in_shape.height / 2,
                           fixture.in_shape.width / 2, fixture.in_shape.channels};
  HostElementwiseOperations(1).average_pool(fixture.in_shape, halved, {2, 2, 0, 0},
                                            {fixture.in.data(), fixture.in_shape.channels},
                                            {out.data(), fixture.in_shape.channels});
  expect_near(fixture.out, out);
}

TEST(Torch7Modules, UpsamplingRepeatsPixels) {
  const Fixture fixture = read_fixture("upsample");
  std::vector<float> out(fixture.out.size());
  HostElementwiseOperations(1).upsample_add(fixture.in_shape,
                                            {fixture.in.data(), fixture.in_shape.channels}, {},
                                            {out.data(), fixture.in_shape.channels});
  EXPECT_EQ(fixture.out, out);
}

TEST(Torch7Modules, RealConvolutionsOfEveryKind) {
  for (FloatBackend kind : {FloatBackend::direct, FloatBackend::onednn, FloatBackend::openblas}) {
    if (!available(kind)) continue;
    for (const char* name : {"conv_1x1", "conv_bias"})
      for (int threads : {1, 2}) {
        SCOPED_TRACE(to_string(kind) + ", " + name);
        const Fixture fixture = read_fixture(name);
        expect_near(fixture.out, run_convolution(kind, fixture, threads));
      }
  }
}

TEST(Torch7Modules, StemOfConvolutionBatchNormAndRelu) {
  for (FloatBackend kind : {FloatBackend::direct, FloatBackend::onednn, FloatBackend::openblas}) {
    if (!available(kind)) continue;
    SCOPED_TRACE(to_string(kind));
    const Fixture fixture = read_fixture("conv_7x7s2");
    const Affine affine = affine_of(fixture.layers.at(1));
    expect_near(fixture.out, run_affine_relu(fixture.out_shape, run_convolution(kind, fixture, 1),
                                             affine, true));
  }
}

}  // namespace
}  // namespace xnorbench
