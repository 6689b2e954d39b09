// The binarised tensors of a program, and which of them are written along with the float tensor
// that they are made of.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "networks/compile/fusion.h"
#include "networks/compile/program_builder.h"

namespace xnorbench {

/// A packed input made of a tensor: sign(affine(tensor)).
struct TensorSigns {
  ProgramPackedInput packed_input;
  AffineView affine;
};

/// What one step writes of them: the channels from `first_channel` on.
struct StepSigns {
  std::vector<TensorSigns> signs;
  std::int64_t first_channel = 0;

  void append_buffers(std::vector<BufferId>& writes) const;
  std::vector<SignTarget> in(const BufferTable& buffers) const;
};

/// The tensor that a step writes, or its channels of a wider one, with their signs.
struct WrittenTensor {
  std::optional<Place> place;  ///< none where only the signs are wanted
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
  /// `policy`: without fusion no signs are written with a tensor. `writes_signs`: the device can
  /// (ElementwiseOperations::write_signs_too). The references must stay.
  PackedInputs(const Graph& graph, const Fusion& fusion, const NetworkParameters& parameters,
               const Implementation& implementation, ProgramBuilder& builder, const Policy& policy,
               bool writes_signs);

  std::optional<BufferId> find(NodeId of, ZeroRule rule, const PackedFormat& format) const;
  BufferId add(NodeId of, ZeroRule rule, const PackedFormat& format);
  const std::vector<ProgramPackedInput>& all() const { return packed_inputs_; }

  /// The packed inputs that the steps which write the tensor of `home` write along: all that binary
  /// convolutions read of it, but what an epilogue makes of sums, and where a step cannot.
  const std::vector<TensorSigns>& written_with(NodeId home);

  /// Nothing but those packed inputs is made of the tensor of `home`: it need not be kept.
  bool only_signs_of(NodeId home);

  /// The batch norm's affine tensor, in memory once.
  AffineView affine_of(NodeId norm);

 private:
  /// Channels of the steps that write the tensor of `home`, in order; empty when one of them cannot
  /// write signs.
  std::vector<std::int64_t> writers_of(NodeId home) const;
  void add_readers_of(NodeId of, AffineView affine, const std::vector<std::int64_t>& writers,
                      std::vector<TensorSigns>& signs);

  const Graph& graph_;
  const Fusion& fusion_;
  const NetworkParameters& parameters_;
  const Implementation& implementation_;
  ProgramBuilder& builder_;
  const Policy& policy_;
  bool writes_signs_;
  std::vector<std::vector<NodeId>> consumers_;
  std::vector<ProgramPackedInput> packed_inputs_;
  std::vector<std::optional<std::vector<TensorSigns>>> written_with_;
  std::map<NodeId, AffineView> affines_;
};

}  // namespace xnorbench
