// What the functions that turn the nodes of a graph into steps have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "networks/compile/fusion.h"
#include "networks/compile/packed_inputs.h"
#include "networks/compile/places.h"
#include "networks/compile/program_builder.h"

namespace xnorbench {

/// One compilation: what it works from, and what it has made so far.
struct Emission {
  /// The references must stay valid.
  Emission(const Graph& graph, const NetworkParameters& parameters,
           const Implementation& implementation, FloatBackend float_backend, Context& context,
           const Policy& policy);
  Emission(const Emission&) = delete;
  Emission& operator=(const Emission&) = delete;

  const Graph& graph;
  const NetworkParameters& parameters;
  const Implementation& implementation;
  const FloatBackend float_backend;
  Context& context;
  const Policy& policy;
  const std::shared_ptr<const ElementwiseOperations> elementwise;
  const std::vector<std::vector<NodeId>> consumers;
  const Fusion fusion;

  ProgramBuilder builder;
  Places places;
  PackedInputs packed_inputs;

  /// What a step writes that computes the tensor of `home`, or its channels from `offset` on.
  WrittenTensor written(NodeId home, std::int64_t offset = 0);

  /// The shortcut's channels that are added to a part of a concatenation, if any. The sum is
  /// computed in place if it can be.
  std::optional<Place> addend_of(NodeId part);

  void prefer_in_place(const WrittenTensor& to, const Place& from);

  /// A step that reads `reads` and writes `to`. The reference is good until the next step is added.
  Step& add_step(const std::string& name, Part part, std::vector<BufferId> reads,
                 const WrittenTensor& to);
};

/// Steps of one node, and of the packed input that a binary convolution reads.
void emit_convolution(Emission& emission, NodeId id);
void emit_binary_convolution(Emission& emission, NodeId id);
void emit_batch_norm(Emission& emission, NodeId id);
void emit_relu(Emission& emission, NodeId id);
void emit_pool(Emission& emission, NodeId id);
void emit_upsample(Emission& emission, NodeId id);
void emit_concat(Emission& emission, NodeId id);
void emit_add(Emission& emission, NodeId id);

/// The tensor `from` of node `part`, plus an addend if there is one, into the channels from
/// `offset` on of the tensor of `home`.
void emit_copy(Emission& emission, NodeId part, const Place& from, NodeId home, std::int64_t offset,
               const std::optional<Place>& addend);

}  // namespace xnorbench
