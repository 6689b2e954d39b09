// Collects the buffers and steps of a program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "networks/program.h"

namespace xnorbench {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Ledger& ledger) : ledger_(ledger) {}

  BufferId add_buffer(const std::string& name, const MemoryUse& use, bool external = false);
  /// The reference is good until the next step is added.
  Step& add_step(const std::string& name, Part part, std::vector<BufferId> reads, std::vector<BufferId> writes);
  /// A batch norm as an affine map in memory of the ledger.
  AffineView own_affine(const BatchNorm& batch_norm);
  /// `to` is computed element by element from `from` (and may be by several steps, each on its own
  /// elements): it takes over the bytes if nothing else reads `from` by then.
  void prefer_in_place(BufferId to, BufferId from) { in_place_.emplace_back(to, from); }

  Program finish(BufferId input, BufferId output);

 private:
  void share_bytes(BufferId to, BufferId from);

  Ledger& ledger_;
  Program program_;
  std::vector<std::pair<BufferId, BufferId>> in_place_;
};

}  // namespace xnorbench
