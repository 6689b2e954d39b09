// Which packed inputs the binary convolutions of a network read, and which step writes each one. A
// table made from the graph alone, before any buffer or step exists.
#pragma once

#include <optional>
#include <vector>

#include "networks/compile/fusion.h"

namespace xnorbench {

enum class SignWriter {
  epilogue,      ///< the epilogue of a binary convolution, from its integer sums
  tensor_steps,  ///< the steps that write the float tensor, each the signs of its own channels
  sign_step,     ///< a step of its own, which reads the float tensor
};

/// sign(node `of`) by `rule`, packed in `format`. All binary convolutions that read the same share
/// it.
struct PlannedPackedInput {
  NodeId of = 0;
  ZeroRule rule = ZeroRule::plus;
  PackedFormat format;
  SignWriter writer = SignWriter::sign_step;
  /// epilogue: the convolution before the batch norm `of`. tensor_steps: the node whose tensor is
  /// written. sign_step: the first convolution that reads it; the step comes right before that.
  NodeId written_at = 0;
};

using PackedInputId = std::size_t;

struct PackedInputPlan {
  std::vector<PlannedPackedInput> packed_inputs;

  // One entry for each node of the graph:
  /// Binary convolutions: what they read.
  std::vector<std::optional<PackedInputId>> read_by;
  /// Binary convolutions: what their epilogues write.
  std::vector<std::optional<PackedInputId>> from_epilogue;
  /// What is written with the node's float tensor. The node may be read as it is, or through a
  /// batch norm that is folded into the signs.
  std::vector<std::vector<PackedInputId>> written_with;
  /// Every reader of the node reads packed inputs that are written with its float tensor or by its
  /// epilogue: the tensor itself need not be kept.
  std::vector<bool> only_signs;

  const PlannedPackedInput& operator[](PackedInputId id) const { return packed_inputs[id]; }
};

/// `steps_write_signs`: a step that writes a float tensor can also write its signs
/// (ElementwiseOperations::write_signs_too). Without it no signs are written with a tensor.
PackedInputPlan plan_packed_inputs(const Graph& graph, const Fusion& fusion,
                                   const Implementation& implementation, bool steps_write_signs);

}  // namespace xnorbench
