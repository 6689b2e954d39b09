// Where the float tensors of a program are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "networks/compile/program_builder.h"

namespace xnorbench {

/// Kind of a node as memory tables tell it: the sum of a tensor and an upsampled one, as in an
/// hourglass, is "add_upsampled".
std::string module_of(const Graph& graph, NodeId id);

class Places {
 public:
  /// The references must stay.
  Places(const Graph& graph, ProgramBuilder& builder)
      : graph_(graph), builder_(builder), places_(graph.nodes().size()) {}

  /// A buffer of its own, made when first asked for.
  Place of(NodeId id);

 private:
  const Graph& graph_;
  ProgramBuilder& builder_;
  std::vector<std::optional<Place>> places_;
};

}  // namespace xnorbench
