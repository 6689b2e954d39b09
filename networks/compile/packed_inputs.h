// The packed inputs of a program: their buffers, and what a step writes of them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "networks/compile/packed_input_plan.h"
#include "networks/compile/program_builder.h"

namespace xnorbench {

/// A packed input that is written with a float tensor: sign(affine(tensor)).
struct TensorSigns {
  ProgramPackedInput packed_input;
  AffineView affine;
};

/// The signs that one step writes with its part of a tensor: the channels from `first_channel` on.
struct StepSigns {
  std::vector<TensorSigns> signs;
  std::int64_t first_channel = 0;

  void append_buffers(std::vector<BufferId>& writes) const;
  std::vector<SignTarget> in(const BufferTable& buffers) const;
};

/// What one step writes: a float tensor, or some channels of a wider one, and signs of it.
struct WrittenTensor {
  std::optional<Place> place;  ///< none if only the signs are wanted
  StepSigns signs;

  FloatTensor in(const BufferTable& buffers) const {
    return place ? place->in(buffers) : FloatTensor{};
  }
  void append_buffers(std::vector<BufferId>& writes) const {
    if (place) writes.push_back(place->buffer);
    signs.append_buffers(writes);
  }
};

class PackedInputs {
 public:
  /// `parameters_as_modules`: a batch norm keeps its statistics, as a module of Torch7 does. The
  /// references must stay valid.
  PackedInputs(const Graph& graph, const NetworkParameters& parameters, ProgramBuilder& builder,
               PackedInputPlan plan, bool parameters_as_modules)
      : graph_(graph),
        parameters_(parameters),
        builder_(builder),
        plan_(std::move(plan)),
        parameters_as_modules_(parameters_as_modules),
        made_(plan_.packed_inputs.size()) {}

  const PackedInputPlan& plan() const { return plan_; }

  /// With a buffer of its own, which is made when first asked for.
  const ProgramPackedInput& of(PackedInputId id);
  /// Those that have a buffer so far.
  std::vector<ProgramPackedInput> all() const;

  /// What the plan says is written with the float tensor of `home`.
  std::vector<TensorSigns> written_with(NodeId home);

  /// The batch norm as a scale and a shift, stored once, when first asked for.
  AffineView affine_of(NodeId norm);

 private:
  const Graph& graph_;
  const NetworkParameters& parameters_;
  ProgramBuilder& builder_;
  PackedInputPlan plan_;
  bool parameters_as_modules_;
  std::vector<std::optional<ProgramPackedInput>> made_;
  std::map<NodeId, AffineView> affines_;
};

}  // namespace xnorbench
