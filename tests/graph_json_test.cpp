// Graphs as JSON: out and in again, and values from .npy files.
#include "networks/json/graph_json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/npy.h"
#include "networks/models/network_list.h"
#include "networks/reference_executor.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<float>;

struct LoadedNetwork {
  Graph graph;
  NetworkParameters parameters;
};

/// Random values of `seed`, and over them what the file names.
LoadedNetwork load_network(const std::string& file, std::int64_t batch, std::uint64_t seed) {
  const Graph graph = load_graph(file, batch);
  NetworkParameters parameters = random_parameters(graph, seed);
  load_parameters(file, graph, parameters);
  return {graph, parameters};
}

class GraphJson : public testing::Test {
 protected:
  GraphJson() { fs::create_directories(folder_); }
  ~GraphJson() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string save(const std::string& text) const {
    std::ofstream(path("net.json")) << text;
    return path("net.json");
  }
  void save(const std::string& name, const std::vector<std::int64_t>& shape,
            const Values& values) const {
    write_npy(path(name), {shape, values});
  }
  /// A network of these layers on a tensor of size x size.
  std::string save_layers(int size, int channels, const std::string& layers,
                          const std::string& rules = "") const {
    const std::string side = std::to_string(size);
    return save("{\"name\": \"net\", " + rules + "\"input\": {\"height\": " + side +
                ", \"width\": " + side + ", \"channels\": " + std::to_string(channels) +
                "}, \"layers\": [" + layers + "]}");
  }
  static Values run(const LoadedNetwork& network, const Values& input) {
    return run_reference(network.graph, network.parameters, input, FloatBackend::direct, 1);
  }
  static std::string error_of(const std::string& file) {
    try {
      load_network(file, 1, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("xnorbench_json_" + std::to_string(getpid()));
};

void expect_equal(const Graph& left, const Graph& right) {
  EXPECT_EQ(left.name(), right.name());
  EXPECT_EQ(left.rules().pad_value, right.rules().pad_value);
  EXPECT_EQ(left.rules().zero_rule, right.rules().zero_rule);
  ASSERT_EQ(left.nodes().size(), right.nodes().size());
  for (NodeId id = 0; id < left.nodes().size(); ++id) {
    const Node& a = left.node(id);
    const Node& b = right.node(id);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind) << a.name;
    EXPECT_EQ(a.inputs, b.inputs) << a.name;
    EXPECT_EQ(a.shape, b.shape) << a.name;
    EXPECT_EQ(a.problem, b.problem) << a.name;
    EXPECT_EQ(a.sign_weights, b.sign_weights) << a.name;
    EXPECT_EQ(a.slope, b.slope) << a.name;
    EXPECT_EQ(std::tie(a.pool.size, a.pool.stride, a.pool.pad_before, a.pool.pad_after),
              std::tie(b.pool.size, b.pool.stride, b.pool.pad_before, b.pool.pad_after))
        << a.name;
  }
}

TEST_F(GraphJson, EveryNetworkComesBackAsItWas) {
  for (const NetworkEntry& entry : all_networks()) {
    SCOPED_TRACE(entry.name);
    const Graph graph = entry.build(2);
    const std::string text = to_json(graph);
    const Graph again = load_graph(save(text), 2);
    expect_equal(graph, again);
    EXPECT_EQ(to_json(again), text);
  }
}

TEST_F(GraphJson, IsWrittenOneLayerALineWithoutDefaults) {
  Graph graph("net", {PadValue::minus_one, ZeroRule::minus});
  NodeId x = graph.input({3, 8, 6, 4});
  x = graph.binary_convolution("a", x, 4, {3, 1, 1});
  x = graph.relu("b", x, 0.1F);
  graph.add("c", x, graph.input());
  EXPECT_EQ(to_json(graph), R"({
  "name": "net",
  "pad": -1,
  "zero": "minus",
  "input": {"height": 8, "width": 6, "channels": 4},
  "layers": [
    {"name": "a", "type": "binary_convolution", "out_channels": 4, "kernel": 3, "pad": 1},
    {"name": "b", "type": "relu", "slope": 0.1},
    {"name": "c", "type": "add", "inputs": ["b", "input"]}
  ]
}
)");
}

TEST_F(GraphJson, TheSameSeedGivesTheSameValues) {
  const Graph graph = binarynet_cifar10(1);
  const LoadedNetwork loaded = load_network(save(to_json(graph)), 1, 7);
  const NetworkParameters expected = random_parameters(graph, 7);
  for (NodeId id = 0; id < expected.size(); ++id) {
    EXPECT_EQ(loaded.parameters[id].weights, expected[id].weights);
    EXPECT_EQ(loaded.parameters[id].alpha, expected[id].alpha);
    EXPECT_EQ(loaded.parameters[id].bias, expected[id].bias);
    EXPECT_EQ(loaded.parameters[id].batch_norm.mean, expected[id].batch_norm.mean);
    EXPECT_EQ(loaded.parameters[id].batch_norm.epsilon, expected[id].batch_norm.epsilon);
  }
}

TEST_F(GraphJson, BinaryConvolutionWithValues) {
  // 2 channels in, 2x2; kernel 2 over the whole tensor; alpha is the mean of |w|.
  save("w.npy", {2, 2, 2, 2}, {1, -2, 3, -4, 5, -6, 7, -8, 1, 1, 1, 1, -1, -1, -1, 0});
  const std::string layer =
      R"({"name": "a", "type": "binary_convolution", "out_channels": 2, "kernel": 2,
          "weights": "w.npy")";
  const Values input{1, 1, -1, 1, 1, -1, -1, -1};  // channel 0: + - + -, channel 1: + + - -
  LoadedNetwork network = load_network(save_layers(2, 2, layer + "}"), 1, 1);
  EXPECT_EQ(network.parameters[1].alpha, (Values{4.5F, 0.875F}));
  // Filter 0 has + - + - twice: 4 + 0. Filter 1 has + + + +: 0; - - - and the sign of 0: +: -2,
  // with minus: 0.
  EXPECT_EQ(run(network, input), (Values{18.0F, -2 * 0.875F}));
  network = load_network(save_layers(2, 2, layer + "}", R"("zero": "minus", )"), 1, 1);
  EXPECT_EQ(run(network, input), (Values{18.0F, 0.0F}));
  save("alpha.npy", {2}, {0.5F, -3.0F});
  network = load_network(save_layers(2, 2, layer + R"(, "alpha": "alpha.npy"})"), 1, 1);
  EXPECT_EQ(run(network, input), (Values{2.0F, 6.0F}));
}

TEST_F(GraphJson, LinearIsAConvolutionOfTheWholeTensorInChannelHeightWidthOrder) {
  Values weights(2 * 8);
  std::iota(weights.begin(), weights.end(), 0.0F);
  save("b.npy", {2}, {0.5F, -0.5F});
  const Values input{1, 10, 2, 20, 3, 30, 4, 40};  // channels last
  const Values expected{
      0 * 1 + 1 * 2 + 2 * 3 + 3 * 4 + 4 * 10 + 5 * 20 + 6 * 30 + 7 * 40 + 0.5F,
      8 * 1 + 9 * 2 + 10 * 3 + 11 * 4 + 12 * 10 + 13 * 20 + 14 * 30 + 15 * 40 - 0.5F};
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{2, 8}, {2, 2, 2, 2}}) {
    save("w.npy", shape, weights);
    const LoadedNetwork network =
        load_network(save_layers(2, 2,
                                 R"({"name": "a", "type": "linear", "out_channels": 2,
                "weights": "w.npy", "bias": "b.npy"})"),
                     1, 1);
    EXPECT_EQ(network.graph.output_shape(), (TensorShape{1, 1, 1, 2}));
    EXPECT_EQ(run(network, input), expected);
  }
  save("ones.npy", {2}, {1, 1});
  for (float& w : weights) w = 4.0F - w;  // the first 5 of filter 0 are +, all others -
  save("w.npy", {2, 8}, weights);
  const LoadedNetwork binary =
      load_network(save_layers(2, 2,
                               R"({"name": "a", "type": "binary_linear", "out_channels": 2,
              "weights": "w.npy", "alpha": "ones.npy"})"),
                   1, 1);
  EXPECT_EQ(run(binary, input), (Values{2.0F, -8.0F}));
}

TEST_F(GraphJson, SignWeightsFollowTheZeroRuleAndBatchNormTakesItsFiles) {
  save("w.npy", {1, 3}, {0.25F, 0.0F, -7.0F});
  save("one.npy", {1}, {1.0F});
  save("two.npy", {1}, {2.0F});
  const std::string layers =
      R"({"name": "a", "type": "sign_weight_convolution", "out_channels": 1, "kernel": 1,
          "weights": "w.npy", "bias": "one.npy"},
         {"name": "b", "type": "batch_norm", "gamma": "two.npy", "beta": "one.npy",
          "mean": "two.npy", "variance": "one.npy", "epsilon": 3.0e-9})";
  const Values input{1, 10, 100};
  EXPECT_EQ(run(load_network(save_layers(1, 3, layers), 1, 1), input),
            (Values{-179.0F}));  // (1+10-100+1-2)*2+1
  EXPECT_EQ(run(load_network(save_layers(1, 3, layers, R"("zero": "minus", )"), 1, 1), input),
            (Values{-219.0F}));
}

TEST_F(GraphJson, EpsilonBesideFilesIsThatOfFrameworks) {
  save("one.npy", {3}, {1, 1, 1});
  const auto epsilon = [&](const std::string& fields) {
    return load_network(save_layers(2, 3, R"({"name": "a", "type": "batch_norm")" + fields + "}"),
                        1, 1)
        .parameters[1]
        .batch_norm.epsilon;
  };
  EXPECT_EQ(epsilon(""), 0x1p-16F);
  EXPECT_EQ(epsilon(R"(, "gamma": "one.npy")"), 1e-5);
  EXPECT_EQ(epsilon(R"(, "gamma": "one.npy", "epsilon": 0.001)"), 0.001);
}

TEST_F(GraphJson, ErrorsAreOneLineWhateverTheFileHolds) {
  const std::string bad[] = {
      "",
      "{",
      "[]",
      "3",
      "{\"name\": \"a\nb\"}",
      R"({"a\nb": 1})",
      "{\"\xFF\": 1}",
      "{\"name\": \"\xC3\xA4\"}",
      std::string(100'000, '['),
      R"({"name": "a", "name": "b"})",
      "{\"name\": 1e999}",
      R"({"name": "n", "input": {"height": 18446744073709551615, "width": 1, "channels": 1}})"};
  for (const std::string& text : bad) {
    const std::string message = error_of(save(text));
    EXPECT_NE(message.find("net.json"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 400U) << message;
  }
}

TEST_F(GraphJson, SizesThatMultiplyBeyondReasonAreRefused) {
  std::string layers = R"({"name": "u0", "type": "upsample"})";
  for (int i = 1; i < 80; ++i)
    layers += R"(, {"name": "u)" + std::to_string(i) + R"(", "type": "upsample"})";
  EXPECT_NE(error_of(save_layers(8, 1, layers)).find("too large"), std::string::npos);
  const std::string wide =
      R"({"name": "a", "type": "convolution", "out_channels": 1000000, "kernel": 1000000})";
  EXPECT_NE(error_of(save_layers(1'000'000, 1'000'000, wide)).find("layers[0] 'a'"),
            std::string::npos);
}

}  // namespace
}  // namespace xnorbench
