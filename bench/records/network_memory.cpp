#include "bench/records/network_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace xnorbench {

void NetworkMemory::set_plan(const Program& program, const MemoryPlan& plan) {
  planned = plan.total;
  arena_bytes = plan.arena.bytes;
  arena_lower_bound = plan.arena.lower_bound;
  peak_step = plan.peak_step;
  const std::vector<MemoryUse> alive = xnorbench::timeline(program, plan);
  for (std::size_t step = 0; step < alive.size(); ++step)
    timeline.emplace_back(program.steps[step].name, alive[step]);

  const std::size_t last_step = program.steps.size() - 1;
  auto add = [&](MemoryBuffer row, std::optional<BufferId> id, const MemoryUse& use) {
    for (std::size_t i = 0; i < category_count; ++i) {
      row.category = static_cast<Category>(i);
      row.bytes = use[row.category];
      if (row.bytes == 0) continue;
      buffers.push_back(row);
      ids_.push_back(id);
    }
  };
  for (const PreparedMemory& p : program.prepared)
    add({.layer = p.layer,
         .module = p.module,
         .kind = "prepared",
         .form = {},
         .death = last_step,
         .planned_at_peak = true},
        std::nullopt, p.use);
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    const ProgramBuffer& b = program.buffers[id];
    const Lifetime life = b.external ? Lifetime{b.bytes, 0, last_step} : plan.lifetimes[id];
    if (life.bytes == 0) continue;
    add({.layer = b.layer,
         .module = b.module,
         .kind = to_string(b.kind),
         .form = b.form,
         .birth = life.birth,
         .death = life.death,
         .planned_at_peak = b.external || plan.is_alive(id, plan.peak_step)},
        b.external ? std::nullopt : std::optional(id), b.use);
  }
}

void NetworkMemory::set_measured(const MemoryUse& peak, const std::vector<BufferId>& alive,
                                 std::int64_t growth, std::int64_t peak_growth) {
  measured = peak;
  resident_growth = growth;
  if (peak_growth > 0) peak_resident_growth = peak_growth;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    buffers[i].measured_at_peak =
        !ids_[i] || std::find(alive.begin(), alive.end(), *ids_[i]) != alive.end();
}

std::string NetworkMemory::key() const {
  return fmt::format("memory/{}/{}/{}/{}/n{}/t{}/{}", network, implementation, limited_to, policy,
                     batch, threads, float_backend);
}

}  // namespace xnorbench
