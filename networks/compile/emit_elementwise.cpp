// Everything between convolutions: batch norm, relu, pools, upsampling, concatenation, addition.
#include <utility>

#include "networks/compile/emission.h"

namespace xnorbench {
namespace {

/// Node `id` as a batch norm `norm` (which may be `id` itself), a relu, or both, of the tensor
/// before.
void emit_affine_relu(Emission& emission, NodeId id, std::optional<NodeId> norm,
                      std::optional<float> relu_slope) {
  const Graph& graph = emission.graph;
  const Node& node = graph.node(id);
  const TensorShape shape = node.shape;
  const Place from = emission.places.of(graph.node(norm.value_or(id)).inputs[0]);
  const WrittenTensor to = emission.written(id);
  const AffineView affine = norm ? emission.packed_inputs.affine_of(*norm) : AffineView{};
  // A batch norm alone is no module that works in place.
  if (emission.policy.fuses || relu_slope) emission.prefer_in_place(to, from);
  emission.add_step(node.name, Part::elementwise, {from.buffer}, to).run =
      [=, elementwise = emission.elementwise](const BufferTable& buffers) {
        elementwise->affine_relu(shape.pixels(), shape.channels, from.const_in(buffers), affine,
                                 relu_slope, to.in(buffers), to.signs.in(buffers));
      };
}

/// Node `id` as the upsampling of `x`, plus an addend if there is one.
void emit_upsample_add(Emission& emission, NodeId id, NodeId x, std::optional<NodeId> addend) {
  const TensorShape in = emission.graph.node(x).shape;
  const Place from = emission.places.of(x);
  const WrittenTensor to = emission.written(id);
  std::vector<BufferId> reads{from.buffer};
  std::optional<Place> added;
  if (addend) {
    added = emission.places.of(*addend);
    reads.push_back(added->buffer);
    emission.prefer_in_place(to, *added);
  }
  emission.add_step(emission.graph.node(id).name, Part::elementwise, std::move(reads), to).run =
      [=, elementwise = emission.elementwise](const BufferTable& buffers) {
        elementwise->upsample_add(in, from.const_in(buffers),
                                  added ? added->const_in(buffers) : ConstFloatTensor{},
                                  to.in(buffers), to.signs.in(buffers));
      };
}

}  // namespace

void emit_batch_norm(Emission& emission, NodeId id) {
  if (!emission.fusion.folded[id]) emit_affine_relu(emission, id, id, std::nullopt);
}

void emit_relu(Emission& emission, NodeId id) {
  const Graph& graph = emission.graph;
  const NodeId x = graph.node(id).inputs[0];
  const bool normalised = graph.node(x).kind == NodeKind::batch_norm && emission.fusion.folded[x];
  emit_affine_relu(emission, id, normalised ? std::optional(x) : std::nullopt,
                   graph.node(id).slope);
}

void emit_pool(Emission& emission, NodeId id) {
  const Node node = emission.graph.node(id);
  const TensorShape in = emission.graph.node(node.inputs[0]).shape;
  const Place from = emission.places.of(node.inputs[0]);
  const WrittenTensor to = emission.written(id);
  emission.add_step(node.name, Part::pool, {from.buffer}, to).run =
      [=, elementwise = emission.elementwise](const BufferTable& buffers) {
        if (node.kind == NodeKind::max_pool)
          elementwise->max_pool(in, node.shape, node.pool, from.const_in(buffers), to.in(buffers),
                                to.signs.in(buffers));
        else
          elementwise->average_pool(in, node.shape, node.pool, from.const_in(buffers),
                                    to.in(buffers), to.signs.in(buffers));
      };
}

void emit_upsample(Emission& emission, NodeId id) {
  if (!emission.fusion.folded[id])
    emit_upsample_add(emission, id, emission.graph.node(id).inputs[0], std::nullopt);
}

void emit_copy(Emission& emission, NodeId part, const Place& from, NodeId home, std::int64_t offset,
               const std::optional<Place>& addend) {
  const TensorShape shape = emission.graph.node(part).shape;
  const WrittenTensor to = emission.written(home, offset);
  std::vector<BufferId> reads{from.buffer};
  if (addend) reads.push_back(addend->buffer);
  emission.add_step(emission.graph.node(part).name, Part::elementwise, std::move(reads), to).run =
      [=, elementwise = emission.elementwise](const BufferTable& buffers) {
        elementwise->add(shape.pixels(), shape.channels, from.const_in(buffers),
                         addend ? addend->const_in(buffers) : ConstFloatTensor{}, to.in(buffers),
                         to.signs.in(buffers));
      };
}

/// Copies the parts that are not written in place.
void emit_concat(Emission& emission, NodeId id) {
  std::int64_t offset = 0;
  for (NodeId part : emission.graph.node(id).inputs) {
    if (!emission.fusion.slice[part])
      emit_copy(emission, part, emission.places.of(part), id, offset, std::nullopt);
    offset += emission.graph.node(part).shape.channels;
  }
}

void emit_add(Emission& emission, NodeId id) {
  const Graph& graph = emission.graph;
  const Fusion& fusion = emission.fusion;
  const NodeId a = graph.node(id).inputs[0];
  const NodeId b = graph.node(id).inputs[1];
  if (fusion.added_in_place[a] || fusion.added_in_place[b]) return;  // written with the parts
  if (fusion.folded[a]) return emit_upsample_add(emission, id, graph.node(a).inputs[0], b);
  if (fusion.folded[b]) return emit_upsample_add(emission, id, graph.node(b).inputs[0], a);
  const TensorShape shape = graph.node(id).shape;
  const Place left = emission.places.of(a);
  const Place right = emission.places.of(b);
  const WrittenTensor to = emission.written(id);
  emission.prefer_in_place(to, left);
  emission.prefer_in_place(to, right);
  emission.add_step(graph.node(id).name, Part::elementwise, {left.buffer, right.buffer}, to).run =
      [=, elementwise = emission.elementwise](const BufferTable& buffers) {
        elementwise->add(shape.pixels(), shape.channels, left.const_in(buffers),
                         right.const_in(buffers), to.in(buffers), to.signs.in(buffers));
      };
}

}  // namespace xnorbench
