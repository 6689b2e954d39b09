// Decides what a compiled network fuses, from the graph alone.
#pragma once

#include <optional>
#include <vector>

#include "core/implementation.h"
#include "networks/graph.h"

namespace xnorbench {

/// A part of a concatenation: the channels from `offset` on of node `home`'s tensor.
struct Slice {
  NodeId home = 0;
  std::int64_t offset = 0;
  std::optional<NodeId> addend;  ///< shortcut added as the part is written; same channels
};

struct Fusion {
  /// Has no tensor of its own: a batch norm that only binary convolutions or one relu read, or an
  /// upsampling that only an add reads.
  std::vector<bool> folded;
  /// For a binary convolution: the folded batch norm whose signs its epilogue writes.
  std::vector<std::optional<NodeId>> epilogue_norm;
  /// For a node that is written into a concatenation.
  std::vector<std::optional<Slice>> slice;
  /// A concatenation whose parts are written straight into the add that reads it.
  std::vector<bool> added_in_place;
};

/// One module for every node.
Fusion no_fusions(const Graph& graph);

/// `implementation` decides which packed input a binary convolution reads: one epilogue can only
/// write one format.
Fusion find_fusions(const Graph& graph, const Implementation& implementation);

}  // namespace xnorbench
