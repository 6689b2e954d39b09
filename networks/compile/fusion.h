// Decides what a compiled network fuses, from the graph alone.
#pragma once

#include <optional>
#include <vector>

#include "core/implementation.h"
#include "networks/graph.h"

namespace xnorbench {

/// A part of a concatenation that is written in place: into the channels from `offset` on of the
/// tensor of node `home`, which is the concatenation or the addition that reads it.
struct Slice {
  NodeId home = 0;
  std::int64_t offset = 0;
  std::optional<NodeId> addend;  ///< shortcut whose channels are added while the part is written
};

struct Fusion {
  /// The node has no tensor of its own: it is a batch norm that only binary convolutions or one
  /// relu read, or an upsampling that only one addition reads.
  std::vector<bool> folded;
  /// For a binary convolution: the folded batch norm whose signs its epilogue writes.
  std::vector<std::optional<NodeId>> epilogue_norm;
  /// For a node that is written into a concatenation: where to.
  std::vector<std::optional<Slice>> slice;
  /// The concatenation's parts are written straight into the addition that reads it.
  std::vector<bool> added_in_place;
};

/// Nothing is fused: one step for every node.
Fusion no_fusions(const Graph& graph);

/// `implementation` decides which format of packed input a binary convolution reads; an epilogue
/// can write only one format.
Fusion find_fusions(const Graph& graph, const Implementation& implementation);

}  // namespace xnorbench
