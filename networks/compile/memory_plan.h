// The memory of a compiled network, known before it runs: where its buffers lie, when they live,
// and who owns their bytes.
#pragma once

#include <vector>

#include "networks/compile/program.h"

namespace xnorbench {

/// The planned view of docs/method.md, "Memory". Input and output have buffers of their own; all
/// other buffers lie in one arena.
struct MemoryPlan {
  /// One for each buffer of the program; 0 bytes if it is not in the arena, or shares another's
  /// bytes.
  std::vector<Lifetime> lifetimes;
  ArenaPlan arena;  ///< with room for guard bytes behind each buffer
  std::size_t peak_step = 0;
  /// Everything by category: what is prepared, input and output, and the arena at its fullest step.
  MemoryUse total;

  bool is_alive(BufferId id, std::size_t step) const {
    return lifetimes[id].bytes > 0 && lifetimes[id].birth <= step && step <= lifetimes[id].death;
  }
  /// The buffers that are alive in the arena during a step.
  std::vector<BufferId> alive_at(std::size_t step) const;
};

/// Allocates nothing.
MemoryPlan plan_memory(const Program& program, const Policy& policy);

/// Bytes alive in the arena during each step, by owner.
std::vector<MemoryUse> timeline(const Program& program, const MemoryPlan& plan);

}  // namespace xnorbench
