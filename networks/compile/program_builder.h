// Collects the buffers and steps of a program.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "networks/compile/program.h"

namespace xnorbench {

/// The fields of a ProgramBuffer that name it.
struct BufferLabel {
  BufferKind kind = BufferKind::tensor;
  std::string layer, module;
  std::string form = {};
};

/// "1x64x64x128 float32": N, H, W, C and the type of an element.
std::string form_of(const TensorShape& shape, std::string_view type);

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Ledger& ledger) : ledger_(ledger) {}

  /// What is prepared from now on belongs to node `layer`, of this kind.
  void begin_module(const std::string& layer, const std::string& kind);
  BufferId add_buffer(const BufferLabel& label, const MemoryUse& use, bool external = false);
  /// The reference is good until the next step is added.
  Step& add_step(const std::string& name, Part part, std::vector<BufferId> reads,
                 std::vector<BufferId> writes);
  /// Stores a batch norm as a scale and a shift. `as_module`: also stores mean and variance, so
  /// that it takes four vectors, as a module of Torch7 does. Belongs to node `layer`, whatever
  /// module was begun.
  AffineView own_affine(const std::string& layer, const BatchNorm& batch_norm,
                        bool as_module = false);
  /// `to` is computed element by element from `from`, by one or several steps: it takes over the
  /// bytes if nothing else reads `from` by then.
  void prefer_in_place(BufferId to, BufferId from) { in_place_.emplace_back(to, from); }

  Program finish(BufferId input, BufferId output);

 private:
  void share_bytes(BufferId to, BufferId from);
  void end_module();

  Ledger& ledger_;
  Program program_;
  PreparedMemory module_;  ///< `use`: the ledger's bytes when it began
  std::vector<std::pair<BufferId, BufferId>> in_place_;
};

}  // namespace xnorbench
