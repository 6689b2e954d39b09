// Where the float tensors of a program are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "networks/compile/program_builder.h"

namespace xnorbench {

/// The node's kind as memory tables print it. An addition of an upsampled tensor, as in an
/// hourglass, is "add_upsampled"; all others are to_string(kind).
std::string module_of(const Graph& graph, NodeId id);

class Places {
 public:
  /// The references must stay valid.
  Places(const Graph& graph, ProgramBuilder& builder)
      : graph_(graph), builder_(builder), places_(graph.nodes().size()) {}

  /// The node's tensor, in a buffer of its own that is made when first asked for.
  Place of(NodeId id);

 private:
  const Graph& graph_;
  ProgramBuilder& builder_;
  std::vector<std::optional<Place>> places_;
};

}  // namespace xnorbench
