#include "networks/compile/fusion.h"

#include <algorithm>

namespace xnorbench {
namespace {

class Finder {
 public:
  Finder(const Graph& graph, const Implementation& implementation)
      : graph_(graph), implementation_(implementation), consumers_(graph.consumers()) {
    fusion_ = no_fusions(graph);
  }

  Fusion find() {
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) fusion_.folded[id] = is_folded(id);
    for (NodeId id = 0; id < graph_.nodes().size(); ++id)
      if (kind(id) == NodeKind::binary_convolution)
        fusion_.epilogue_norm[id] = find_epilogue_norm(id);
    for (NodeId id = 0; id < graph_.nodes().size(); ++id)
      if (kind(id) == NodeKind::concat) place_parts(id);
    return std::move(fusion_);
  }

 private:
  NodeKind kind(NodeId id) const { return graph_.node(id).kind; }
  bool only_read_by(NodeId id, NodeKind reader) const {
    return consumers_[id].size() == 1 && kind(consumers_[id][0]) == reader;
  }

  bool is_folded(NodeId id) const {
    const auto& readers = consumers_[id];
    if (kind(id) == NodeKind::upsample) {
      if (!only_read_by(id, NodeKind::add)) return false;
      // Both sides of an add cannot be folded, nor one side twice.
      const auto& sides = graph_.node(readers[0]).inputs;
      return sides[0] != sides[1] && (sides[1] == id || kind(sides[1]) != NodeKind::upsample);
    }
    if (kind(id) != NodeKind::batch_norm || readers.empty()) return false;
    if (only_read_by(id, NodeKind::relu)) return true;
    return std::all_of(readers.begin(), readers.end(),
                       [&](NodeId reader) { return kind(reader) == NodeKind::binary_convolution; });
  }

  bool same_packed_input(NodeId a, NodeId b) const {
    const ConvProblem& left = graph_.node(a).problem;
    const ConvProblem& right = graph_.node(b).problem;
    return left.zero_rule == right.zero_rule &&
           implementation_.source_format(left) == implementation_.source_format(right);
  }

  std::optional<NodeId> find_epilogue_norm(NodeId id) const {
    for (NodeId reader : consumers_[id]) {
      if (kind(reader) != NodeKind::batch_norm || !fusion_.folded[reader]) continue;
      const auto& convolutions = consumers_[reader];
      if (kind(convolutions[0]) != NodeKind::binary_convolution) continue;
      if (std::all_of(convolutions.begin(), convolutions.end(),
                      [&](NodeId other) { return same_packed_input(convolutions[0], other); }))
        return reader;
    }
    return std::nullopt;
  }

  /// Only the concatenation reads the part's value. (An epilogue batch norm reads its sums.)
  bool value_is_private(NodeId part, NodeId concat) const {
    return std::all_of(consumers_[part].begin(), consumers_[part].end(),
                       [&](NodeId reader) {
                         return reader == concat || reader == fusion_.epilogue_norm[part];
                       }) &&
           std::count(consumers_[part].begin(), consumers_[part].end(), concat) == 1;
  }

  void place_parts(NodeId concat) {
    const auto& parts = graph_.node(concat).inputs;
    NodeId home = concat;
    std::optional<NodeId> addend;
    if (only_read_by(concat, NodeKind::add)) {
      const NodeId add = consumers_[concat][0];
      const auto& sides = graph_.node(add).inputs;
      const NodeId other = sides[0] == concat ? sides[1] : sides[0];
      // The shortcut must exist as a tensor before the first part is written.
      const bool ready =
          !fusion_.folded[other] && other < *std::min_element(parts.begin(), parts.end());
      const bool all_private = std::all_of(
          parts.begin(), parts.end(), [&](NodeId part) { return can_write_slice(part, concat); });
      if (ready && all_private) {
        home = add;
        addend = other;
        fusion_.added_in_place[concat] = true;
      }
    }
    std::int64_t offset = 0;
    for (NodeId part : parts) {
      if (can_write_slice(part, concat)) fusion_.slice[part] = Slice{home, offset, addend};
      offset += graph_.node(part).shape.channels;
    }
  }

  /// A binary convolution writes its slice directly if nothing else reads the value. A real
  /// convolution keeps a dense tensor of its own, which is copied (or added) into one slice.
  bool can_write_slice(NodeId part, NodeId concat) const {
    if (kind(part) == NodeKind::binary_convolution) return value_is_private(part, concat);
    if (kind(part) != NodeKind::convolution) return false;
    return std::count_if(consumers_[part].begin(), consumers_[part].end(),
                         [&](NodeId reader) { return kind(reader) == NodeKind::concat; }) == 1;
  }

  const Graph& graph_;
  const Implementation& implementation_;
  std::vector<std::vector<NodeId>> consumers_;
  Fusion fusion_;
};

}  // namespace

Fusion no_fusions(const Graph& graph) {
  const std::size_t nodes = graph.nodes().size();
  Fusion fusion;
  fusion.folded.resize(nodes);
  fusion.epilogue_norm.resize(nodes);
  fusion.slice.resize(nodes);
  fusion.added_in_place.resize(nodes);
  return fusion;
}

Fusion find_fusions(const Graph& graph, const Implementation& implementation) {
  return Finder(graph, implementation).find();
}

}  // namespace xnorbench
