#include "networks/compile/memory_plan.h"

namespace xnorbench {

std::vector<BufferId> MemoryPlan::alive_at(std::size_t step) const {
  std::vector<BufferId> alive;
  for (BufferId id = 0; id < lifetimes.size(); ++id)
    if (is_alive(id, step)) alive.push_back(id);
  return alive;
}

MemoryPlan plan_memory(const Program& program, const Policy& policy) {
  MemoryPlan plan;
  std::vector<bool> is_workspace;
  for (const ProgramBuffer& buffer : program.buffers)
    is_workspace.push_back(buffer.kind == BufferKind::workspace);
  plan.lifetimes = apply_policy(policy, program.lifetimes(), is_workspace, program.steps.size());

  std::vector<Lifetime> with_guards = plan.lifetimes;
  for (Lifetime& lifetime : with_guards)
    if (lifetime.bytes > 0) lifetime.bytes += guard_size_bytes;
  plan.arena = plan_arena(with_guards);

  for (const PreparedMemory& prepared : program.prepared) plan.total += prepared.use;
  for (BufferId end : {program.input, program.output}) plan.total += program.buffers[end].use;
  // The ledger counts bytes without guard bytes: so does its peak.
  plan.peak_step = find_peak(plan.lifetimes).step;
  std::size_t alive = 0;
  for (BufferId id : plan.alive_at(plan.peak_step)) {
    plan.total += program.buffers[id].use;
    alive += plan.lifetimes[id].bytes;
  }
  plan.total[Category::arena_gaps] += plan.arena.bytes - alive;
  return plan;
}

std::vector<MemoryUse> timeline(const Program& program, const MemoryPlan& plan) {
  std::vector<MemoryUse> alive(program.steps.size());
  for (std::size_t step = 0; step < alive.size(); ++step)
    for (BufferId id : plan.alive_at(step)) alive[step] += program.buffers[id].use;
  return alive;
}

}  // namespace xnorbench
