// The memory of one network on one implementation, planned and measured: rows of memory.csv,
// timeline.csv and buffers.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/memory.h"
#include "networks/compile/memory_plan.h"

namespace xnorbench {

/// Bytes of one owner inside one buffer, or packed for one node before the first pass.
struct MemoryBuffer {
  std::string layer, module;  ///< as in ProgramBuffer
  std::string kind;           ///< tensor, packed input, workspace, prepared
  std::string form;           ///< shape and type, where it has one
  Category category = Category::weights_packed;
  std::size_t bytes = 0;
  std::size_t birth = 0, death = 0;  ///< first and last step, both included
  /// Alive when the sum of all is largest: by the plan, and as the measured pass had it.
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

  // Of a pass that ran; nothing when only planned.
  std::optional<MemoryUse> measured;
  std::optional<std::int64_t> resident_growth, peak_resident_growth;

  void set_plan(const Program& program, const MemoryPlan& plan);
  /// `peak`: the ledger's; `alive`: what Executor::run_accounted() returned; `growth`: of the
  /// outside view after the pass, `peak_growth` at its highest moment (0: unknown).
  void set_measured(const MemoryUse& peak, const std::vector<BufferId>& alive, std::int64_t growth,
                    std::int64_t peak_growth);

  /// Fields that tell one from another, for continuing a run.
  std::string key() const;

 private:
  std::vector<std::optional<BufferId>> ids_;  // of `buffers`; none of what is prepared
};

/// Network, implementation and the other fields that tell one from another, as the first columns of
/// its files.
std::string csv_identity_header();
std::string csv_identity(const NetworkMemory& memory);

// Lines of the three files, and their headers (docs/schema.md).
std::string memory_header();
std::vector<std::string> memory_rows(const NetworkMemory& memory);
std::string timeline_header();
std::vector<std::string> timeline_rows(const NetworkMemory& memory);
std::string buffer_header();
std::vector<std::string> buffer_rows(const NetworkMemory& memory);

}  // namespace xnorbench
