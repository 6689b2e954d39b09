#include "networks/compile/executor.h"

#include <fmt/format.h>

#include <stdexcept>

namespace xnorbench {

Executor::Executor(const Graph& graph, const NetworkParameters& parameters,
                   const Implementation& implementation, FloatBackend float_backend,
                   Context& context, const Policy& policy)
    : ledger_(context.ledger),
      program_(compile(graph, parameters, implementation,
                       effective_float_backend(graph, implementation, float_backend), context,
                       policy)),
      plan_(plan_memory(program_, policy)) {
  arena_ = ledger_.allocate(Category::arena_gaps, plan_.arena.bytes, "the arena of the network");
  input_ = ledger_.allocate(program_.buffers[program_.input].use, "the network's input");
  output_ = ledger_.allocate(program_.buffers[program_.output].use, "the network's output");
  table_.resize(program_.buffers.size());
  for (BufferId id = 0; id < table_.size(); ++id)
    table_[id] = arena_.data() + plan_.arena.offsets[program_.owner(id)];
  table_[program_.input] = input_.data();
  table_[program_.output] = output_.data();
}

void Executor::set_input(std::span<const float> values) {
  if (values.size_bytes() != input_.size())
    throw std::logic_error("the input's size is not the network's");
  ledger_.device().write(input_.data(), values.data(), values.size_bytes());
}

std::vector<float> Executor::input() const { return read(input_); }
std::vector<float> Executor::output() const { return read(output_); }

std::vector<float> Executor::read(const Buffer& buffer) const {
  std::vector<float> values(buffer.size() / sizeof(float));
  ledger_.device().read(values.data(), buffer.data(), buffer.size());
  return values;
}

void Executor::run() const {
  for (const Step& step : program_.steps) step.run(table_);
}

std::vector<BufferId> Executor::run_accounted() {
  std::vector<BufferId> fullest;
  std::size_t most_bytes = 0;
  for (std::size_t index = 0; index < program_.steps.size(); ++index) {
    const Step& step = program_.steps[index];
    const std::vector<BufferId> alive = plan_.alive_at(index);
    for (BufferId id : alive) {
      if (plan_.lifetimes[id].birth != index) continue;
      write_guard(ledger_.device(), table_[id] + plan_.lifetimes[id].bytes);
      ledger_.fill_arena(program_.buffers[id].use);
    }
    // The arena is one block: how full it is shows in what is left of it.
    const std::size_t filled = plan_.arena.bytes - ledger_.current()[Category::arena_gaps];
    if (filled > most_bytes) {
      most_bytes = filled;
      fullest = alive;
    }
    step.run(table_);
    for (BufferId id : alive) {
      if (plan_.lifetimes[id].death != index) continue;
      check_guard(id, step);
      ledger_.empty_arena(program_.buffers[id].use);
    }
  }
  return fullest;
}

void Executor::check_guard(BufferId id, const Step& step) const {
  const ProgramBuffer& buffer = program_.buffers[id];
  if (guard_intact(ledger_.device(), table_[id] + plan_.lifetimes[id].bytes)) return;
  throw std::logic_error(
      fmt::format("layer {}: something wrote past the end of the {} of {} ({} bytes)", step.name,
                  to_string(buffer.kind), buffer.layer, buffer.bytes));
}

void Executor::run_observed(const std::function<void(const Step&)>& before,
                            const std::function<void(const Step&)>& after) const {
  for (const Step& step : program_.steps) {
    before(step);
    step.run(table_);
    after(step);
  }
}

std::vector<StepTime> Executor::run_profiled() const {
  std::vector<StepTime> times;
  times.reserve(program_.steps.size());
  for (const Step& step : program_.steps)
    times.push_back({&step, ledger_.device().time_ns([&] { step.run(table_); })});
  return times;
}

}  // namespace xnorbench
