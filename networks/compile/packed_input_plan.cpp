#include "networks/compile/packed_input_plan.h"

#include <algorithm>

namespace xnorbench {
namespace {

/// Whether steps that each write some channels of a tensor, one after the other, can each write the
/// signs of their channels: SignTarget says when.
bool can_write_parts(const PackedFormat& format, const std::vector<std::int64_t>& part_channels) {
  if (format.form != PackedForm::bits || part_channels.size() == 1) return true;
  std::int64_t first = 0;
  for (std::int64_t channels : part_channels) {
    if (first % 8 != 0) return false;
    first += channels;
  }
  return format.groups == 1;
}

class Planner {
 public:
  Planner(const Graph& graph, const Fusion& fusion, const Implementation& implementation)
      : graph_(graph),
        fusion_(fusion),
        implementation_(implementation),
        consumers_(graph.consumers()) {
    const std::size_t nodes = graph.nodes().size();
    plan_.read_by.resize(nodes);
    plan_.from_epilogue.resize(nodes);
    plan_.written_with.resize(nodes);
    plan_.only_signs.resize(nodes);
  }

  PackedInputPlan plan(bool steps_write_signs) {
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) plan_epilogue(id);
    // A folded node has no tensor that a step could write.
    if (steps_write_signs)
      for (NodeId id = 0; id < graph_.nodes().size(); ++id)
        if (!fusion_.folded[id]) plan_written_with(id);
    // Before sign steps are planned: those read the tensor, so it must be kept for them.
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) plan_.only_signs[id] = only_signs_of(id);
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) plan_reader(id);
    return std::move(plan_);
  }

 private:
  bool is_binary(NodeId id) const { return graph_.node(id).kind == NodeKind::binary_convolution; }

  /// What binary convolution `reader` reads of node `of`.
  PlannedPackedInput wanted_by(NodeId reader, NodeId of) const {
    const ConvProblem& problem = graph_.node(reader).problem;
    return {of, problem.zero_rule, implementation_.source_format(problem), {}, {}};
  }

  std::optional<PackedInputId> find(const PlannedPackedInput& wanted) const {
    for (PackedInputId id = 0; id < plan_.packed_inputs.size(); ++id) {
      const PlannedPackedInput& planned = plan_[id];
      if (planned.of == wanted.of && planned.rule == wanted.rule && planned.format == wanted.format)
        return id;
    }
    return std::nullopt;
  }

  PackedInputId add(PlannedPackedInput wanted, SignWriter writer, NodeId written_at) {
    wanted.writer = writer;
    wanted.written_at = written_at;
    plan_.packed_inputs.push_back(wanted);
    return plan_.packed_inputs.size() - 1;
  }

  void plan_epilogue(NodeId convolution) {
    const std::optional<NodeId> norm = fusion_.epilogue_norm[convolution];
    if (!norm) return;
    const NodeId next = consumers_[*norm][0];
    plan_.from_epilogue[convolution] =
        add(wanted_by(next, *norm), SignWriter::epilogue, convolution);
  }

  void plan_written_with(NodeId home) {
    const std::vector<std::int64_t> part_channels = parts_of(home);
    if (part_channels.empty()) return;
    auto plan_readers_of = [&](NodeId of) {
      for (NodeId reader : consumers_[of]) {
        if (!is_binary(reader)) continue;
        const PlannedPackedInput wanted = wanted_by(reader, of);
        if (find(wanted) || !can_write_parts(wanted.format, part_channels)) continue;
        plan_.written_with[home].push_back(add(wanted, SignWriter::tensor_steps, home));
      }
    };
    plan_readers_of(home);
    for (NodeId norm : consumers_[home])
      if (is_folded_norm(norm) && fusion_.epilogue_norm[home] != norm) plan_readers_of(norm);
  }

  void plan_reader(NodeId id) {
    if (!is_binary(id)) return;
    const PlannedPackedInput wanted = wanted_by(id, graph_.node(id).inputs[0]);
    const std::optional<PackedInputId> planned = find(wanted);
    plan_.read_by[id] = planned ? *planned : add(wanted, SignWriter::sign_step, id);
  }

  bool is_folded_norm(NodeId id) const {
    return graph_.node(id).kind == NodeKind::batch_norm && fusion_.folded[id];
  }

  /// Channels of each step that writes the tensor of `home`, in order. Empty if one of them cannot
  /// write signs.
  std::vector<std::int64_t> parts_of(NodeId home) const {
    NodeId writer = home;
    if (graph_.node(home).kind == NodeKind::add)
      for (NodeId side : graph_.node(home).inputs)
        if (fusion_.added_in_place[side]) writer = side;
    const Node& node = graph_.node(writer);
    // A library writes the one, the user the other.
    if (node.kind == NodeKind::convolution || node.kind == NodeKind::input) return {};
    if (node.kind != NodeKind::concat) return {node.shape.channels};
    std::vector<std::int64_t> channels;
    for (NodeId part : node.inputs) channels.push_back(graph_.node(part).shape.channels);
    return channels;
  }

  bool only_signs_of(NodeId home) const {
    if (plan_.written_with[home].empty() || home == graph_.output()) return false;
    if (graph_.node(home).shape.channels > most_passing_channels) return false;
    auto is_planned = [&](NodeId of, NodeId reader) {
      return is_binary(reader) && find(wanted_by(reader, of));
    };
    auto all_planned = [&](NodeId of) {
      return std::all_of(consumers_[of].begin(), consumers_[of].end(),
                         [&](NodeId reader) { return is_planned(of, reader); });
    };
    return std::all_of(consumers_[home].begin(), consumers_[home].end(), [&](NodeId reader) {
      return is_folded_norm(reader) ? all_planned(reader) : is_planned(home, reader);
    });
  }

  const Graph& graph_;
  const Fusion& fusion_;
  const Implementation& implementation_;
  std::vector<std::vector<NodeId>> consumers_;
  PackedInputPlan plan_;
};

}  // namespace

PackedInputPlan plan_packed_inputs(const Graph& graph, const Fusion& fusion,
                                   const Implementation& implementation, bool steps_write_signs) {
  return Planner(graph, fusion, implementation).plan(steps_write_signs);
}

}  // namespace xnorbench
