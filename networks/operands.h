// The binarised maps of a program, and which of them are written along with the float map that they are made of.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "networks/fusion.h"
#include "networks/program_builder.h"

namespace xnorbench {

/// An operand made of a map: sign(affine(map)).
struct MapSigns {
  ProgramOperand operand;
  AffineView affine;
};

/// What one step writes of them: the channels from `first_channel` on.
struct StepSigns {
  std::vector<MapSigns> signs;
  std::int64_t first_channel = 0;

  void append_buffers(std::vector<BufferId>& writes) const;
  std::vector<SignTarget> in(const BufferTable& buffers) const;
};

/// The map that a step writes, or its channels of a wider one, with their signs.
struct WrittenMap {
  std::optional<Place> place;  ///< none where only the signs are wanted
  StepSigns signs;

  FloatMap in(const BufferTable& buffers) const { return place ? place->in(buffers) : FloatMap{}; }
  void append_buffers(std::vector<BufferId>& writes) const {
    if (place) writes.push_back(place->buffer);
    signs.append_buffers(writes);
  }
};

class Operands {
 public:
  /// `policy`: without fusion no signs are written with a map. `writes_signs`: the device can (Passes::write_signs_too). The
  /// references must stay.
  Operands(const Graph& graph, const Fusion& fusion, const NetworkParameters& parameters,
           const Implementation& implementation, ProgramBuilder& builder, const Policy& policy, bool writes_signs);

  std::optional<BufferId> find(NodeId of, ZeroRule rule, const OperandFormat& format) const;
  BufferId add(NodeId of, ZeroRule rule, const OperandFormat& format);
  const std::vector<ProgramOperand>& all() const { return operands_; }

  /// The operands that the steps which write the map of `home` write along: all that binary convolutions read of it, but
  /// what an epilogue makes of sums, and where a step cannot.
  const std::vector<MapSigns>& written_with(NodeId home);

  /// Nothing but those operands is made of the map of `home`: it need not be kept.
  bool only_signs_of(NodeId home);

  /// The batch norm's affine map, in memory once.
  AffineView affine_of(NodeId norm);

 private:
  /// Channels of the steps that write the map of `home`, in order; empty when one of them cannot write signs.
  std::vector<std::int64_t> writers_of(NodeId home) const;
  void add_readers_of(NodeId of, AffineView affine, const std::vector<std::int64_t>& writers, std::vector<MapSigns>& signs);

  const Graph& graph_;
  const Fusion& fusion_;
  const NetworkParameters& parameters_;
  const Implementation& implementation_;
  ProgramBuilder& builder_;
  const Policy& policy_;
  bool writes_signs_;
  std::vector<std::vector<NodeId>> consumers_;
  std::vector<ProgramOperand> operands_;
  std::vector<std::optional<std::vector<MapSigns>>> written_with_;
  std::map<NodeId, AffineView> affines_;
};

}  // namespace xnorbench
