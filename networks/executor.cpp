#include "networks/executor.h"

#include <fmt/format.h>

#include <stdexcept>

namespace xnorbench {

Executor::Executor(const Graph& graph, const NetworkParameters& parameters, const Implementation& implementation,
                   RealLayers real_layers, Context& context)
    : ledger_(context.ledger),
      program_(compile(graph, parameters, implementation, effective_real_layers(graph, implementation, real_layers),
                       context)),
      lifetimes_(program_.lifetimes()) {
  planned_ = ledger_.current();  // what compile() packed
  plan_memory();
}

void Executor::plan_memory() {
  std::vector<Lifetime> with_canaries = lifetimes_;
  for (Lifetime& lifetime : with_canaries)
    if (lifetime.bytes > 0) lifetime.bytes += canary_bytes;
  plan_ = plan_arena(with_canaries);

  const ProgramBuffer& in = program_.buffers[program_.input];
  const ProgramBuffer& out = program_.buffers[program_.output];
  planned_[Category::input_output] += in.bytes + out.bytes;
  // The ledger counts bytes without canaries: so does its peak.
  const std::size_t fullest = find_peak(lifetimes_).step;
  std::size_t alive = 0;
  for (BufferId id = 0; id < lifetimes_.size(); ++id) {
    const Lifetime& life = lifetimes_[id];
    if (life.bytes == 0 || life.birth > fullest || fullest > life.death) continue;
    planned_ += program_.buffers[id].use;
    alive += life.bytes;
  }
  planned_[Category::arena_gaps] += plan_.bytes - alive;

  arena_ = ledger_.allocate(Category::arena_gaps, plan_.bytes, "the arena of network maps");
  input_ = ledger_.allocate(Category::input_output, in.bytes, "the network's input");
  output_ = ledger_.allocate(Category::input_output, out.bytes, "the network's output");
  table_.resize(program_.buffers.size());
  for (BufferId id = 0; id < table_.size(); ++id) table_[id] = arena_.data() + plan_.offsets[program_.owner(id)];
  table_[program_.input] = input_.data();
  table_[program_.output] = output_.data();
}

std::vector<MemoryUse> Executor::timeline() const {
  std::vector<MemoryUse> alive(program_.steps.size());
  for (BufferId id = 0; id < lifetimes_.size(); ++id) {
    if (lifetimes_[id].bytes == 0) continue;
    for (std::size_t step = lifetimes_[id].birth; step <= lifetimes_[id].death; ++step)
      alive[step] += program_.buffers[id].use;
  }
  return alive;
}

void Executor::set_input(std::span<const float> values) {
  if (values.size_bytes() != input_.size()) throw std::logic_error("the input's size is not the network's");
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

void Executor::run_accounted() {
  for (std::size_t index = 0; index < program_.steps.size(); ++index) {
    const Step& step = program_.steps[index];
    for (BufferId id = 0; id < lifetimes_.size(); ++id) {
      if (lifetimes_[id].bytes == 0 || lifetimes_[id].birth != index) continue;
      write_canary(ledger_.device(), table_[id] + lifetimes_[id].bytes);
      ledger_.fill_arena(program_.buffers[id].use);
    }
    step.run(table_);
    for (BufferId id = 0; id < lifetimes_.size(); ++id) {
      if (lifetimes_[id].bytes == 0 || lifetimes_[id].death != index) continue;
      check_canary(id, step);
      ledger_.empty_arena(program_.buffers[id].use);
    }
  }
}

void Executor::check_canary(BufferId id, const Step& step) const {
  if (canary_intact(ledger_.device(), table_[id] + lifetimes_[id].bytes)) return;
  throw std::logic_error(fmt::format("layer {}: something wrote past the end of buffer '{}' ({} bytes)", step.name,
                                     program_.buffers[id].name, lifetimes_[id].bytes));
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
