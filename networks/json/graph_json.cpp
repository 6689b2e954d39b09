#include "networks/json/graph_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/files.h"

namespace xnorbench {
namespace {

using Json = nlohmann::ordered_json;

/// On one line, with blanks behind commas and colons.
std::string spaced(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items())
    text += (text.empty() ? "" : ", ") +
            (json.is_object() ? Json(key).dump() + ": " : std::string()) + spaced(value);
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

void put_unless(Json& json, const char* field, std::int64_t value, std::int64_t default_value) {
  if (value != default_value) json[field] = value;
}

void put_kind(Json& json, const Node& node) {
  const ConvShape& shape = node.problem.shape;
  switch (node.kind) {
    case NodeKind::convolution:
    case NodeKind::binary_convolution:
      json["out_channels"] = shape.out_channels;
      json["kernel"] = shape.kernel_height;
      put_unless(json, "stride", shape.stride_height, 1);
      put_unless(json, "pad", shape.pad_height, 0);
      break;
    case NodeKind::relu:
      // The shortest decimal that is this float.
      if (node.slope != 0.0F) json["slope"] = std::stod(fmt::format("{}", node.slope));
      break;
    case NodeKind::max_pool:
      json["size"] = node.pool.size;
      put_unless(json, "stride", node.pool.stride, node.pool.size);
      put_unless(json, "pad_before", node.pool.pad_before, 0);
      put_unless(json, "pad_after", node.pool.pad_after, 0);
      break;
    case NodeKind::average_pool: json["size"] = node.pool.size; break;
    default: break;
  }
}

Json layer(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  Json json;
  json["name"] = node.name;
  json["type"] = node.sign_weights ? "sign_weight_convolution" : to_string(node.kind);
  if (node.kind == NodeKind::concat || node.kind == NodeKind::add) {
    for (NodeId input : node.inputs) json["inputs"].push_back(graph.node(input).name);
  } else if (node.inputs[0] + 1 != id) {
    json["input"] = graph.node(node.inputs[0]).name;
  }
  put_kind(json, node);
  return json;
}

}  // namespace

std::string to_json(const Graph& graph) {
  std::string text = fmt::format("{{\n  \"name\": {},\n", Json(graph.name()).dump());
  if (graph.rules().pad_value != PadValue::zero)
    text += fmt::format("  \"pad\": {},\n", static_cast<int>(graph.rules().pad_value));
  if (graph.rules().zero_rule != ZeroRule::plus) text += "  \"zero\": \"minus\",\n";
  const TensorShape& in = graph.input_shape();
  text += fmt::format(
      "  \"input\": {{\"height\": {}, \"width\": {}, \"channels\": {}}},\n  \"layers\": [",
      in.height, in.width, in.channels);
  for (NodeId id = 1; id < graph.nodes().size(); ++id)
    text += (id > 1 ? ",\n    " : "\n    ") + spaced(layer(graph, id));
  return text + "\n  ]\n}\n";
}

void write_json(const std::string& file, const Graph& graph) { write_whole(file, to_json(graph)); }

}  // namespace xnorbench
