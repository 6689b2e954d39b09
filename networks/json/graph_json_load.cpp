// load_graph() and load_parameters().
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "core/npy.h"
#include "core/sign.h"
#include "networks/json/graph_json.h"
#include "networks/json/json_reader.h"
#include "networks/json/layer_json.h"

namespace xnorbench {
namespace {

using nlohmann::json;
using Shape = std::vector<std::int64_t>;

/// "net.json: layers[2] 'conv2'".
JsonReader layer_reader(const std::string& file, const json& layers, std::size_t index) {
  std::string where = fmt::format("{}: layers[{}]", file, index);
  const json& layer = layers[index];
  if (!layer.is_object())
    fail_in_one_line(
        fmt::format("{} is no object; a layer is {{\"name\": .., \"type\": .., ..}}", where));
  const std::string name = JsonReader(layer, where).name("name");
  return {layer, fmt::format("{} '{}'", where, name)};
}

class GraphLoader {
 public:
  GraphLoader(const std::string& file, const json& root) : file_(file), reader_(root, file) {}

  Graph load(std::int64_t batch) {
    reader_.allow_only({"name", "pad", "zero", "input", "layers"});
    Graph graph(reader_.name("name"), read_rules());
    graph.input(read_input(batch));
    const json& layers = reader_.get("layers");
    constexpr std::size_t most_layers = 10'000;
    if (!layers.is_array() || layers.empty() || layers.size() > most_layers)
      reader_.fail("layers", fmt::format("must be a list of 1 to {} layers", most_layers));
    for (std::size_t i = 0; i < layers.size(); ++i) add_layer(graph, layers, i);
    check_readers(graph, layers);
    return graph;
  }

 private:
  BinaryRules read_rules() const {
    BinaryRules rules;
    if (reader_.has("pad")) {
      const json& pad = reader_.get("pad");
      if (!pad.is_number_integer() || (pad != json(-1) && pad != json(0) && pad != json(1)))
        reader_.fail("pad",
                     "must be -1, 0 or 1: the value around the tensors of binary convolutions");
      rules.pad_value = static_cast<PadValue>(pad.get<int>());
    }
    if (reader_.has("zero")) {
      const json& zero = reader_.get("zero");
      if (zero != "plus" && zero != "minus")
        reader_.fail("zero", "must be \"plus\" or \"minus\": the sign of a zero");
      rules.zero_rule = zero == "plus" ? ZeroRule::plus : ZeroRule::minus;
    }
    return rules;
  }

  TensorShape read_input(std::int64_t batch) const {
    const json& input = reader_.get("input");
    if (!input.is_object())
      reader_.fail("input", "must be an object with height, width and channels");
    const JsonReader reader(input, file_ + ": input");
    reader.allow_only({"height", "width", "channels"});
    return {batch, reader.size("height", 1), reader.size("width", 1), reader.size("channels", 1)};
  }

  void add_layer(Graph& graph, const json& layers, std::size_t index) {
    const JsonReader reader = layer_reader(file_, layers, index);
    const std::string name = reader.name("name");
    for (const Node& node : graph.nodes())
      if (node.name == name)
        reader.fail("name", node.kind == NodeKind::input
                                ? "is taken: 'input' is the network's input"
                                : "is taken by an earlier layer; give each layer its own");
    const std::string type = reader.text("type");
    check_layer_fields(reader, type);
    std::vector<NodeId> inputs{graph.output()};
    if (takes_many_inputs(type)) {
      inputs.clear();
      for (const std::string& input : reader.texts("inputs"))
        inputs.push_back(find_input(graph, reader, layers, "inputs", input));
    } else if (reader.has("input")) {
      inputs = {find_input(graph, reader, layers, "input", reader.text("input"))};
    }
    append_layer(graph, reader, type, name, inputs);
  }

  NodeId find_input(const Graph& graph, const JsonReader& reader, const json& layers,
                    const char* field, const std::string& name) const {
    for (NodeId id = 0; id < graph.nodes().size(); ++id)
      if (graph.node(id).name == name) return id;
    const bool later = std::any_of(layers.begin(), layers.end(), [&](const json& layer) {
      return layer.is_object() && layer.contains("name") && layer["name"] == name;
    });
    reader.fail(field,
                fmt::format("names '{}', which {}", name.substr(0, 100),
                            later ? "does not come before this layer; a layer reads earlier ones"
                                  : "is no layer; give an earlier layer's name or 'input'"));
  }

  void check_readers(const Graph& graph, const json& layers) const {
    const auto consumers = graph.consumers();
    if (consumers[graph.input()].empty())
      reader_.fail("input", "is read by no layer; let the first layer read it");
    for (NodeId id = 1; id < graph.output(); ++id)
      if (consumers[id].empty())
        layer_reader(file_, layers, id - 1)
            .fail("name",
                  "is read by no later layer, and only the last layer is the output; remove it or "
                  "use it");
  }

  const std::string& file_;
  JsonReader reader_;
};

/// Loads the values of one layer.
class ValueLoader {
 public:
  ValueLoader(const std::string& file, const JsonReader& reader) : file_(file), reader_(reader) {}

  void load(const Graph& graph, NodeId id, NodeParameters& parameters) {
    const Node& node = graph.node(id);
    if (is_convolution(node)) load_convolution(node, graph.rules().zero_rule, parameters);
    if (node.kind == NodeKind::batch_norm) load_batch_norm(node, parameters.batch_norm);
  }

 private:
  void load_convolution(const Node& node, ZeroRule zero_rule, NodeParameters& parameters) const {
    const ConvShape& s = node.problem.shape;
    std::vector<Shape> shapes{{s.out_channels, s.in_channels, s.kernel_height, s.kernel_width}};
    // A matrix has the same order of numbers.
    if (s.taps() == 1 || reader_.text("type").ends_with("linear"))
      shapes.push_back({s.out_channels, s.k()});
    const bool loaded = replace("weights", shapes, parameters.weights);
    if (node.kind == NodeKind::binary_convolution) {
      if (loaded) parameters.alpha = mean_magnitudes(parameters.weights, s.out_channels);
      replace("alpha", {{s.out_channels}}, parameters.alpha);
    } else {
      if (loaded && node.sign_weights)
        for (float& w : parameters.weights) w = static_cast<float>(sign_of(w, zero_rule));
      replace("bias", {{s.out_channels}}, parameters.bias);
    }
  }

  void load_batch_norm(const Node& node, BatchNorm& norm) const {
    const std::vector<Shape> shapes{{node.shape.channels}};
    bool loaded = replace("gamma", shapes, norm.gamma);
    loaded |= replace("beta", shapes, norm.beta);
    loaded |= replace("mean", shapes, norm.mean);
    loaded |= replace("variance", shapes, norm.variance);
    // Beside loaded values what frameworks take; random ones come with their own.
    norm.epsilon =
        reader_.number("epsilon", 0.0, false, 1.0, loaded ? BatchNorm{}.epsilon : norm.epsilon);
    for (std::size_t c = 0; c < norm.variance.size(); ++c)
      if (norm.variance[c] < 0.0F)
        reader_.fail("variance", fmt::format("of channel {} is {}; it must not be negative", c,
                                             norm.variance[c]));
    const Affine affine = to_affine(norm);
    for (std::size_t c = 0; c < affine.scale.size(); ++c)
      if (!std::isfinite(affine.scale[c]) || !std::isfinite(affine.shift[c]))
        reader_.fail(
            "gamma",
            fmt::format(
                "of channel {} is {}; with variance {} and epsilon {} the scale or shift is "
                "beyond float's range",
                c, norm.gamma[c], norm.variance[c], norm.epsilon));
  }

  /// False when the layer does not name a file for it.
  bool replace(const char* field, const std::vector<Shape>& shapes,
               std::vector<float>& values) const {
    if (!reader_.has(field)) return false;
    const std::string name = reader_.text(field);
    if (!name.ends_with(".npy"))
      reader_.fail(field, fmt::format("is '{}'; it must name an .npy file", name));
    const std::string path = (std::filesystem::path(file_).parent_path() / name).string();
    NpyArray array;
    try {
      array = read_npy(path);
    } catch (const InputError& error) {
      reader_.fail(field, fmt::format("cannot be used: {}", error.what()));
    }
    if (std::find(shapes.begin(), shapes.end(), array.shape) == shapes.end()) {
      std::string right;
      for (const Shape& shape : shapes)
        right += fmt::format("{}({})", right.empty() ? "" : " or ", fmt::join(shape, ", "));
      reader_.fail(field, fmt::format("names {} of shape ({}); expected {}", path,
                                      fmt::join(array.shape, ", "), right));
    }
    // Far enough from float's end that no sum of them times a layer's value gets there.
    constexpr float largest = 1e12F;
    for (std::size_t i = 0; i < array.values.size(); ++i)
      if (!(std::fabs(array.values[i]) <= largest))
        reader_.fail(
            field,
            fmt::format("names {}, whose number {} is {}; it must be finite, from -1e12 to 1e12",
                        path, i, array.values[i]));
    values = std::move(array.values);
    return true;
  }

  const std::string& file_;
  const JsonReader& reader_;
};

}  // namespace

Graph load_graph(const std::string& file, std::int64_t batch) {
  const json root = read_json_object(file);
  return GraphLoader(file, root).load(batch);
}

void load_parameters(const std::string& file, const Graph& graph, NetworkParameters& parameters) {
  const json root = read_json_object(file);
  const json& layers = JsonReader(root, file).get("layers");
  for (NodeId id = 1; id < graph.nodes().size(); ++id) {
    const JsonReader reader = layer_reader(file, layers, id - 1);
    ValueLoader(file, reader).load(graph, id, parameters[id]);
  }
}

}  // namespace xnorbench
