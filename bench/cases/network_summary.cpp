#include "bench/cases/network_summary.h"

#include <fmt/format.h>

#include <cstdio>

#include "bench/records/text_line.h"

namespace xnorbench {
namespace {

constexpr std::size_t name_width = 32;

std::string shortened(const std::string& name) {
  return name.size() <= name_width ? name : "~" + name.substr(name.size() - name_width + 1);
}

std::string type_of(const Node& node) {
  if (node.kind == NodeKind::binary_convolution) return "binary conv";
  if (node.kind == NodeKind::convolution) return node.sign_weights ? "sign conv" : "real conv";
  return to_string(node.kind);
}

/// Kernel, and the stride unless it is 1: "3x3/2".
std::string window_of(const Node& node) {
  const bool pool = is_pool(node);
  if (!pool && !is_convolution(node)) return {};
  const std::int64_t kernel = pool ? node.pool.size : node.problem.shape.kernel_height;
  const std::int64_t stride = pool ? node.pool.stride : node.problem.shape.stride_height;
  return fmt::format("{}x{}{}", kernel, kernel,
                     stride == 1 ? std::string() : fmt::format("/{}", stride));
}

std::string dimensions(const TensorShape& shape) {
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

void print_row(const Node& node) {
  std::string macs, weights, bytes;
  if (is_convolution(node)) {
    const bool packed = node.kind == NodeKind::binary_convolution || node.sign_weights;
    const std::int64_t count = node.problem.shape.weight_count();
    macs = fmt::format("{:.3f}", static_cast<double>(node.problem.shape.macs()) * 1e-6);
    weights = fmt::format("{}", count);
    bytes = fmt::format("{}", packed ? (count + 7) / 8 : 4 * count);
  }
  const std::string line =
      fmt::format("{:<{}} {:<12} {:<12} {:<7} {:>9} {:>9} {:>10}", shortened(node.name), name_width,
                  type_of(node), dimensions(node.shape), window_of(node), macs, weights, bytes);
  print_line(line);
}

void print_total(const char* what, std::int64_t layers, std::int64_t macs, std::int64_t weights,
                 std::int64_t bytes) {
  const std::string title = fmt::format("{} ({} layer{})", what, layers, layers == 1 ? "" : "s");
  fmt::print("{:<66} {:>9.3f} {:>9} {:>10}\n", title, static_cast<double>(macs) * 1e-6, weights,
             bytes);
}

}  // namespace

void print_network_summary(const Graph& graph) {
  const BinaryRules& rules = graph.rules();
  fmt::print("{}: {} in, {} out (height x width x channels)", graph.name(),
             dimensions(graph.input_shape()), dimensions(graph.output_shape()));
  fmt::print("; pad {}, zero {}\n\n", static_cast<int>(rules.pad_value),
             rules.zero_rule == ZeroRule::plus ? "plus" : "minus");
  fmt::print("{:<{}} {:<12} {:<12} {:<7} {:>9} {:>9} {:>10}\n", "layer", name_width, "type",
             "output", "window", "M MACs", "weights", "bytes");
  for (const Node& node : graph.nodes())
    if (node.kind != NodeKind::input) print_row(node);
  const NetworkCounts counts = count(graph);
  std::int64_t signs = 0;  // binary weights of layers that compute in float
  for (const Node& node : graph.nodes())
    if (node.sign_weights) signs += node.problem.shape.weight_count();
  fmt::print("\n");
  print_total("binary convolutions", counts.binary_convolutions, counts.binary_macs,
              counts.binary_weights - signs, (counts.binary_weights - signs) / 8);
  print_total("real convolutions", counts.real_convolutions, counts.real_macs,
              counts.real_weights + signs, 4 * counts.real_weights + signs / 8);
  fmt::print("model: {} bytes, with {} alphas, {} biases and {} channels of batch norm as floats\n",
             counts.model_bytes(), counts.alphas, counts.biases, counts.batch_norm_channels);
  std::fflush(stdout);
}

}  // namespace xnorbench
