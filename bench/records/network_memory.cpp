#include "bench/records/network_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/records/record.h"

namespace xnorbench {
namespace {

template <typename F>
void for_each_owner(const MemoryUse& use, F&& f) {
  for (std::size_t i = 0; i < category_count; ++i)
    if (const auto category = static_cast<Category>(i); use[category] > 0)
      f(category, use[category]);
}

}  // namespace

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
    for_each_owner(use, [&](Category category, std::size_t bytes) {
      row.category = category;
      row.bytes = bytes;
      buffers.push_back(row);
      ids_.push_back(id);
    });
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

std::string csv_identity_header() {
  return "network,implementation,limited_to,float_backend,policy,batch,threads,seed,input";
}

std::string csv_identity(const NetworkMemory& m) {
  return fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(m.network), m.implementation,
                     m.limited_to, m.float_backend, m.policy, m.batch, m.threads, m.seed,
                     csv_field(m.input));
}

std::string memory_header() {
  return csv_identity_header() + ",category,planned_bytes,measured_bytes";
}

std::vector<std::string> memory_rows(const NetworkMemory& memory) {
  std::vector<std::string> rows;
  auto add = [&](std::string_view category, std::optional<std::int64_t> planned,
                 std::optional<std::int64_t> measured) {
    auto text = [](std::optional<std::int64_t> bytes) {
      return bytes ? std::to_string(*bytes) : std::string();
    };
    rows.push_back(
        fmt::format("{},{},{},{}", csv_identity(memory), category, text(planned), text(measured)));
  };
  auto signed_bytes = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes); };
  const auto measured_total =
      memory.measured ? std::optional(signed_bytes(memory.measured->total())) : std::nullopt;
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto category = static_cast<Category>(i);
    add(to_string(category), signed_bytes(memory.planned[category]),
        memory.measured ? std::optional(signed_bytes((*memory.measured)[category])) : std::nullopt);
  }
  if (memory.measured) add("unattributed", std::nullopt, *memory.resident_growth - *measured_total);
  add("total", signed_bytes(memory.planned.total()), measured_total);
  if (memory.measured) add("outside", std::nullopt, memory.resident_growth);
  if (memory.peak_resident_growth) add("outside_peak", std::nullopt, memory.peak_resident_growth);
  add("arena", signed_bytes(memory.arena_bytes), std::nullopt);
  add("arena_lower_bound", signed_bytes(memory.arena_lower_bound), std::nullopt);
  return rows;
}

std::string timeline_header() { return csv_identity_header() + ",step,layer,category,bytes"; }

std::vector<std::string> timeline_rows(const NetworkMemory& memory) {
  std::vector<std::string> rows;
  for (std::size_t step = 0; step < memory.timeline.size(); ++step) {
    const std::string& layer = memory.timeline[step].first;
    for_each_owner(memory.timeline[step].second, [&](Category category, std::size_t bytes) {
      rows.push_back(fmt::format("{},{},{},{},{}", csv_identity(memory), step, csv_field(layer),
                                 to_string(category), bytes));
    });
  }
  return rows;
}

std::string buffer_header() {
  return csv_identity_header() +
         ",layer,module,kind,form,category,bytes,birth_step,death_step,at_peak";
}

std::vector<std::string> buffer_rows(const NetworkMemory& memory) {
  std::vector<std::string> rows;
  for (const MemoryBuffer& b : memory.buffers)
    rows.push_back(fmt::format("{},{},{},{},{},{},{},{},{},{}", csv_identity(memory),
                               csv_field(b.layer), b.module, b.kind, b.form, to_string(b.category),
                               b.bytes, b.birth, b.death, b.planned_at_peak ? "yes" : "no"));
  return rows;
}

}  // namespace xnorbench
