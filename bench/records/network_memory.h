// The memory of one network on one implementation, planned and measured.
// bench/records/network_memory_csv.h writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/memory.h"
#include "networks/compile/memory_plan.h"

namespace xnorbench {

/// Bytes of one category inside one buffer, or packed for one node before the first pass.
struct MemoryBuffer {
  std::string layer, module;  ///< as in ProgramBuffer
  std::string kind;           ///< tensor, packed_input, workspace, prepared
  std::string form;           ///< shape and type; empty for what is prepared
  Category category = Category::weights_packed;
  std::size_t bytes = 0;
  std::size_t birth = 0, death = 0;  ///< first and last step, both included
  /// Whether it was alive in the fullest step, in the plan and in the measured pass.
  bool planned_at_peak = false, measured_at_peak = false;
};

struct NetworkMemory {
  std::string network, implementation, limited_to, float_backend, policy;
  std::int64_t batch = 1;
  int threads = 1;
  std::uint64_t seed = 0;
  std::string input;  ///< empty when only planned

  MemoryUse planned;
  std::size_t arena_bytes = 0, arena_lower_bound = 0;
  std::size_t peak_step = 0;
  /// Step after step: the layer's name and the bytes alive in the arena.
  std::vector<std::pair<std::string, MemoryUse>> timeline;
  std::vector<MemoryBuffer> buffers;

  // Measured in a pass; empty when only planned.
  std::optional<MemoryUse> measured;
  std::optional<std::int64_t> resident_growth, peak_resident_growth;

  void set_plan(const Program& program, const MemoryPlan& plan);
  /// `peak`: of the ledger. `alive`: as Executor::run_accounted() returned it. `growth`: bytes by
  /// which the memory that the system sees grew after the pass; `peak_growth`: the same at its
  /// highest moment, 0 if unknown.
  void set_measured(const MemoryUse& peak, const std::vector<BufferId>& alive, std::int64_t growth,
                    std::int64_t peak_growth);

  /// Made of the fields that identify it; completed.csv knows it by this.
  std::string key() const;

 private:
  std::vector<std::optional<BufferId>> ids_;  // of `buffers`; empty for what is prepared
};

}  // namespace xnorbench
