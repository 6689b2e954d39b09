// The bytes of published networks' weights as floats and as bits.
#include <fmt/format.h>

#include "bench/claims/claim_builder.h"
#include "bench/claims/claims_of_size.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr const char* xnor_net = "XNOR-Net, arXiv 1603.05279 (recalled)";
constexpr const char* espresso = "arXiv 1705.07175 (recalled)";

/// VGG-19 of Simonyan & Zisserman (arXiv 1409.1556, configuration E) as XNOR-Net treats networks:
/// all but the first and the last layer binary. Only weights are counted: no batch norm or relu.
Graph vgg19() {
  Graph graph("vgg19", {});
  NodeId x = graph.convolution("conv1_1", graph.input({1, 224, 224, 3}), 64, {3, 1, 1});
  struct Stage {
    int number, first, convolutions;
    std::int64_t channels;
  };
  for (const Stage& stage :
       {Stage{1, 2, 2, 64}, {2, 1, 2, 128}, {3, 1, 4, 256}, {4, 1, 4, 512}, {5, 1, 4, 512}}) {
    for (int layer = stage.first; layer <= stage.convolutions; ++layer)
      x = graph.binary_convolution(fmt::format("conv{}_{}", stage.number, layer), x, stage.channels,
                                   {3, 1, 1});
    x = graph.max_pool(fmt::format("pool{}", stage.number), x, {2, 2, 0, 0});
  }
  x = graph.binary_convolution("fc6", x, 4096, {7, 1, 0});
  x = graph.binary_convolution("fc7", x, 4096, {1, 1, 0});
  graph.convolution("fc8", x, 1000, {1, 1, 0});
  return graph;
}

void xnor_net_sizes(std::vector<ClaimRow>& rows) {
  struct Network {
    const char* conditions;
    double published_float;
    const char* float_unit;
    double published_packed;
    Graph graph;
  };
  const Network networks[] = {{"AlexNet", 475, "MB", 7.4, xnor_alexnet(1)},
                              {"ResNet-18", 100, "MB", 1.5, xnor_resnet18(1)},
                              {"VGG-19", 1, "GB", 16, vgg19()}};
  for (const Network& network : networks) {
    const auto claim = [&](double reported, const char* unit, const char* what) {
      return ClaimBuilder(rows, {.id = "memory_32x_xnornet",
                                 .source = xnor_net,
                                 .reported_value = reported,
                                 .unit = unit,
                                 .conditions = fmt::format("{}, {}", network.conditions, what),
                                 .command = claims_command("memory_32x_xnornet")});
    };
    const NetworkCounts counts = count(network.graph);
    const std::int64_t weights = counts.binary_weights + counts.real_weights;
    const std::int64_t kept = counts.packed_and_alpha_bytes() +
                              static_cast<std::int64_t>(sizeof(float)) * counts.real_weights;

    ClaimBuilder floats =
        claim(network.published_float, network.float_unit, "float; the precision is not said");
    floats.size("weights as float32", static_cast<std::int64_t>(sizeof(float)) * weights,
                "What float models are made of");
    floats.size("weights as float64", static_cast<std::int64_t>(sizeof(double)) * weights,
                "The precision that fits the published figure best");

    ClaimBuilder packed = claim(network.published_packed, "MB", "packed");
    packed.size("every layer packed", weights / 8,
                "One bit a weight, the first and the last layer's too");
    packed.size("binary layers packed, alphas, first and last layer as float32", kept,
                "The network as it is defined: its first and last layer are real");

    ClaimBuilder saving = claim(32, "x", "32 times less memory");
    const auto ratio = [&](const char* definition, const char* baseline, std::size_t bytes_each,
                           std::int64_t small, const char* note) {
      const double large = static_cast<double>(bytes_each) * static_cast<double>(weights);
      saving.ratio(definition, baseline, large / static_cast<double>(small), note);
    };
    ratio("every layer packed", "weights as float32", sizeof(float), weights / 8,
          "A bit for 32 bits");
    ratio("every layer packed", "weights as float64", sizeof(double), weights / 8,
          "The ratio of the two published sizes, twice what the text says");
    ratio("binary layers packed, alphas, first and last layer as float32", "weights as float32",
          sizeof(float), kept, "What the two real layers leave of it");
  }
}

void espresso_sizes(std::vector<ClaimRow>& rows) {
  struct Network {
    const char* conditions;
    double published_float, published_packed;
    Graph graph;
  };
  const Network networks[] = {{"MLP, 784-3x4096-10", 140.6, 4.57, binarynet_mnist(1)},
                              {"CNN, CIFAR-10", 53.5, 1.73, binarynet_cifar10(1)}};
  for (const Network& network : networks) {
    const auto claim = [&](double reported, const char* what) {
      return ClaimBuilder(rows, {.id = "espresso_memory",
                                 .source = espresso,
                                 .reported_value = reported,
                                 .unit = "MB",
                                 .conditions = fmt::format("{}, {}", network.conditions, what),
                                 .command = claims_command("espresso_memory")});
    };
    const NetworkCounts counts = count(network.graph);
    const auto float_bytes = static_cast<std::int64_t>(sizeof(float));
    const std::int64_t weights = float_bytes * counts.binary_weights;
    const std::int64_t batch_norms = 4 * float_bytes * counts.batch_norm_channels;
    ClaimBuilder floats = claim(network.published_float, "float");
    floats.size("weights as float32", weights, "All weights of the network are binary ones");
    floats.size("weights as float32 and batch norms", weights + batch_norms,
                "With four vectors for each batch norm");

    ClaimBuilder packed = claim(network.published_packed, "packed");
    packed.size("weights as bits", counts.packed_bytes(),
                "One bit a weight, the first layer's too");
    packed.size("weights as bits and batch norms", counts.packed_bytes() + batch_norms,
                "Batch norms stay floats, which is why the ratio is below 32");
  }
}

}  // namespace

std::vector<ClaimRow> claims_of_weights() {
  std::vector<ClaimRow> rows;
  xnor_net_sizes(rows);
  espresso_sizes(rows);
  return rows;
}

}  // namespace xnorbench
