#include "networks/json/layer_json.h"

#include <fmt/format.h>

#include <array>

#include "core/error.h"

namespace xnorbench {
namespace {

using Append = void (*)(Graph&, const JsonReader&, const std::string& name,
                        const std::vector<NodeId>& inputs);

struct LayerType {
  const char* name;
  std::vector<std::string> fields;  ///< beside name, type and input or inputs
  Append append;
};

std::string size_of(const TensorShape& shape) {
  return fmt::format("{}x{}", shape.height, shape.width);
}

std::int64_t out_channels(const JsonReader& reader) { return reader.size("out_channels", 1); }

Window read_window(const Graph& graph, const JsonReader& reader, NodeId x) {
  const Window window{reader.size("kernel", 1), reader.size("stride", 1, 1),
                      reader.size("pad", 0, 0)};
  const TensorShape& in = graph.node(x).shape;
  if (window.kernel > in.height + 2 * window.pad || window.kernel > in.width + 2 * window.pad)
    reader.fail("kernel", fmt::format("is {}; it must fit the tensor of {} with a padding of {}",
                                      window.kernel, size_of(in), window.pad));
  return window;
}

/// The window that covers the whole tensor: a linear layer as a convolution.
Window whole_tensor(const Graph& graph, const JsonReader& reader, NodeId x) {
  const TensorShape& in = graph.node(x).shape;
  if (in.height != in.width)
    reader.fail(
        "type",
        fmt::format("is a linear layer on a tensor of {}; it must be square, or pooled to 1x1",
                    size_of(in)));
  return {in.height, 1, 0};
}

PoolWindow read_pool(const Graph& graph, const JsonReader& reader, NodeId x) {
  PoolWindow pool;
  pool.size = reader.size("size", 1);
  pool.stride = reader.size("stride", 1, pool.size);
  pool.pad_before = reader.size("pad_before", 0, 0);
  pool.pad_after = reader.size("pad_after", 0, 0);
  for (const auto& [field, pad] :
       {std::pair{"pad_before", pool.pad_before}, {"pad_after", pool.pad_after}})
    if (pad >= pool.size)
      reader.fail(field, fmt::format("is {}; it must be less than the size, {}", pad, pool.size));
  const TensorShape& in = graph.node(x).shape;
  const std::int64_t pad = pool.pad_before + pool.pad_after;
  if (in.height + pad < pool.size || in.width + pad < pool.size)
    reader.fail("size", fmt::format("is {}; it must fit the tensor of {} with a padding of {}",
                                    pool.size, size_of(in), pad));
  return pool;
}

void check_same_tensors(const Graph& graph, const JsonReader& reader,
                        const std::vector<NodeId>& inputs, bool channels_too) {
  const Node& first = graph.node(inputs[0]);
  for (NodeId id : inputs) {
    const Node& other = graph.node(id);
    if (other.shape.height != first.shape.height || other.shape.width != first.shape.width)
      reader.fail("inputs",
                  fmt::format("are tensors of {} ({}) and {} ({}); height and width must be equal",
                              size_of(first.shape), first.name, size_of(other.shape), other.name));
    if (channels_too && other.shape.channels != first.shape.channels)
      reader.fail("inputs",
                  fmt::format("have {} ({}) and {} ({}) channels; an add needs equal numbers",
                              first.shape.channels, first.name, other.shape.channels, other.name));
  }
}

const std::array<LayerType, 12>& layer_types() {
  using Ids = std::vector<NodeId>;
  static const std::array<LayerType, 12> types{{
      {"convolution",
       {"out_channels", "kernel", "stride", "pad", "weights", "bias"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.convolution(name, x[0], out_channels(reader), read_window(graph, reader, x[0]));
       }},
      {"binary_convolution",
       {"out_channels", "kernel", "stride", "pad", "weights", "alpha"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.binary_convolution(name, x[0], out_channels(reader),
                                  read_window(graph, reader, x[0]));
       }},
      {"sign_weight_convolution",
       {"out_channels", "kernel", "stride", "pad", "weights", "bias"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.sign_weight_convolution(name, x[0], out_channels(reader),
                                       read_window(graph, reader, x[0]));
       }},
      {"linear",
       {"out_channels", "weights", "bias"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.convolution(name, x[0], out_channels(reader), whole_tensor(graph, reader, x[0]));
       }},
      {"binary_linear",
       {"out_channels", "weights", "alpha"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.binary_convolution(name, x[0], out_channels(reader),
                                  whole_tensor(graph, reader, x[0]));
       }},
      {"batch_norm",
       {"gamma", "beta", "mean", "variance", "epsilon"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         reader.number("epsilon", 0.0, false, 1.0, 1.0);  // its value belongs to the parameters
         graph.batch_norm(name, x[0]);
       }},
      {"relu",
       {"slope"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.relu(name, x[0], static_cast<float>(reader.number("slope", 0.0, true, 1.0, 0.0)));
       }},
      {"max_pool",
       {"size", "stride", "pad_before", "pad_after"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.max_pool(name, x[0], read_pool(graph, reader, x[0]));
       }},
      {"average_pool",
       {"size"},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         graph.average_pool(name, x[0], read_pool(graph, reader, x[0]).size);
       }},
      {"upsample",
       {},
       [](Graph& graph, const JsonReader&, const std::string& name, const Ids& x) {
         graph.upsample(name, x[0]);
       }},
      {"concat",
       {},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         if (x.size() < 2)
           reader.fail("inputs",
                       fmt::format("names {} layers; a concat needs at least 2", x.size()));
         check_same_tensors(graph, reader, x, false);
         graph.concat(name, x);
       }},
      {"add",
       {},
       [](Graph& graph, const JsonReader& reader, const std::string& name, const Ids& x) {
         if (x.size() != 2)
           reader.fail("inputs", fmt::format("names {} layers; an add needs 2", x.size()));
         check_same_tensors(graph, reader, x, true);
         graph.add(name, x[0], x[1]);
       }},
  }};
  return types;
}

const LayerType& find_type(const JsonReader& reader, const std::string& name) {
  std::string known;
  for (const LayerType& type : layer_types()) {
    if (type.name == name) return type;
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  reader.fail("type", fmt::format("is '{}'; known: {}", name.substr(0, 60), known));
}

}  // namespace

bool takes_many_inputs(const std::string& type) { return type == "concat" || type == "add"; }

void check_layer_fields(const JsonReader& reader, const std::string& type) {
  std::vector<std::string> fields{"name", "type", takes_many_inputs(type) ? "inputs" : "input"};
  const LayerType& found = find_type(reader, type);
  fields.insert(fields.end(), found.fields.begin(), found.fields.end());
  reader.allow_only(fields);
}

void append_layer(Graph& graph, const JsonReader& reader, const std::string& type,
                  const std::string& name, const std::vector<NodeId>& inputs) {
  try {
    find_type(reader, type).append(graph, reader, name, inputs);
  } catch (const InputError& error) {
    const std::string message = error.what();
    // Limits that only the graph knows, such as the longest sum.
    if (message.starts_with(reader.where())) throw;
    fail_in_one_line(fmt::format("{}: {}", reader.where(), message));
  }
  // Every later count stays far from overflow.
  const TensorShape& shape = graph.output_shape();
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t count = shape.batch;
  for (std::int64_t side : {shape.height, shape.width, shape.channels})
    if (__builtin_mul_overflow(count, side, &count) || count > most)
      fail_in_one_line(fmt::format(
          "{}: its tensor of {}x{} (H x W x C) at batch {} is too large; at most 2^40 numbers",
          reader.where(), size_of(shape), shape.channels, shape.batch));
}

}  // namespace xnorbench
