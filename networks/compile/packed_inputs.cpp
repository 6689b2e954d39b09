#include "networks/compile/packed_inputs.h"

#include <algorithm>

namespace xnorbench {
namespace {

/// Whether parts of a tensor with these channel counts, one after the other, can each write its
/// signs (SignTarget).
bool can_write_parts(const PackedFormat& format, const std::vector<std::int64_t>& part_channels) {
  if (format.form != PackedForm::bits || part_channels.size() == 1) return true;
  std::int64_t first = 0;
  for (std::int64_t channels : part_channels) {
    if (first % 8 != 0) return false;
    first += channels;
  }
  return format.groups == 1;
}

}  // namespace

void StepSigns::append_buffers(std::vector<BufferId>& writes) const {
  for (const TensorSigns& s : signs) writes.push_back(s.packed_input.buffer);
}

std::vector<SignTarget> StepSigns::in(const BufferTable& buffers) const {
  std::vector<SignTarget> targets;
  for (const auto& [packed_input, affine] : signs)
    targets.push_back({packed_input.format, packed_input.rule, affine.from(first_channel),
                       first_channel, buffers[packed_input.buffer]});
  return targets;
}

PackedInputs::PackedInputs(const Graph& graph, const Fusion& fusion,
                           const NetworkParameters& parameters,
                           const Implementation& implementation, ProgramBuilder& builder,
                           const Policy& policy, bool writes_signs)
    : graph_(graph),
      fusion_(fusion),
      parameters_(parameters),
      implementation_(implementation),
      builder_(builder),
      policy_(policy),
      writes_signs_(policy.fuses && writes_signs),
      consumers_(graph.consumers()),
      written_with_(graph.nodes().size()) {}

std::optional<BufferId> PackedInputs::find(NodeId of, ZeroRule rule,
                                           const PackedFormat& format) const {
  for (const ProgramPackedInput& packed_input : packed_inputs_)
    if (packed_input.of == of && packed_input.rule == rule && packed_input.format == format)
      return packed_input.buffer;
  return std::nullopt;
}

BufferId PackedInputs::add(NodeId of, ZeroRule rule, const PackedFormat& format) {
  const Node& node = graph_.node(of);
  const BufferId buffer = builder_.add_buffer(
      {BufferKind::packed_input, node.name, to_string(NodeKind::binary_convolution),
       form_of(node.shape, to_string(format.form))},
      {format.category(),
       static_cast<std::size_t>(node.shape.pixels()) * format.bytes_per_pixel()});
  packed_inputs_.push_back({of, rule, format, buffer});
  return buffer;
}

std::vector<std::int64_t> PackedInputs::writers_of(NodeId home) const {
  NodeId writer = home;
  if (graph_.node(home).kind == NodeKind::add)
    for (NodeId side : graph_.node(home).inputs)
      if (fusion_.added_in_place[side]) writer = side;
  const Node& node = graph_.node(writer);
  if (node.kind == NodeKind::convolution || node.kind == NodeKind::input)
    return {};  // a library's tensor, the user's
  if (node.kind != NodeKind::concat) return {node.shape.channels};
  std::vector<std::int64_t> channels;
  for (NodeId part : node.inputs) channels.push_back(graph_.node(part).shape.channels);
  return channels;
}

void PackedInputs::add_readers_of(NodeId of, AffineView affine,
                                  const std::vector<std::int64_t>& writers,
                                  std::vector<TensorSigns>& signs) {
  for (NodeId reader : consumers_[of]) {
    if (graph_.node(reader).kind != NodeKind::binary_convolution) continue;
    const ConvProblem& problem = graph_.node(reader).problem;
    const PackedFormat format = implementation_.source_format(problem);
    if (find(of, problem.zero_rule, format) || !can_write_parts(format, writers)) continue;
    add(of, problem.zero_rule, format);
    signs.push_back({packed_inputs_.back(), affine});
  }
}

const std::vector<TensorSigns>& PackedInputs::written_with(NodeId home) {
  if (written_with_[home]) return *written_with_[home];
  std::vector<TensorSigns>& signs = written_with_[home].emplace();
  const std::vector<std::int64_t> writers = writers_of(home);
  if (writers.empty() || !writes_signs_) return signs;
  add_readers_of(home, {}, writers, signs);
  for (NodeId norm : consumers_[home])
    if (graph_.node(norm).kind == NodeKind::batch_norm && fusion_.folded[norm] &&
        fusion_.epilogue_norm[home] != norm)
      add_readers_of(norm, affine_of(norm), writers, signs);
  return signs;
}

bool PackedInputs::only_signs_of(NodeId home) {
  const std::vector<TensorSigns>& signs = written_with(home);
  if (signs.empty() || home == graph_.output()) return false;
  if (graph_.node(home).shape.channels > most_passing_channels) return false;
  auto written = [&](NodeId of, NodeId reader) {
    const ConvProblem& problem = graph_.node(reader).problem;
    return graph_.node(reader).kind == NodeKind::binary_convolution &&
           find(of, problem.zero_rule, implementation_.source_format(problem));
  };
  auto all_written = [&](NodeId of) {
    return std::all_of(consumers_[of].begin(), consumers_[of].end(),
                       [&](NodeId reader) { return written(of, reader); });
  };
  return std::all_of(consumers_[home].begin(), consumers_[home].end(), [&](NodeId reader) {
    const bool norm = graph_.node(reader).kind == NodeKind::batch_norm && fusion_.folded[reader];
    return norm ? all_written(reader) : written(home, reader);
  });
}

AffineView PackedInputs::affine_of(NodeId norm) {
  const auto found = affines_.find(norm);
  if (found != affines_.end()) return found->second;
  return affines_[norm] = builder_.own_affine(graph_.node(norm).name, parameters_[norm].batch_norm,
                                              !policy_.fuses);
}

}  // namespace xnorbench
