// Runs a compiled network in one arena.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "networks/compile/memory_plan.h"
#include "networks/compile/program.h"

namespace xnorbench {

struct StepTime {
  const Step* step = nullptr;
  double nanoseconds = 0.0;
};

class Executor {
 public:
  /// Compiles, plans and allocates; supports_network() must be ok. Throws InputError without
  /// memory.
  Executor(const Graph& graph, const NetworkParameters& parameters,
           const Implementation& implementation, FloatBackend float_backend, Context& context,
           const Policy& policy = arena_policy());

  /// N, H, W, C. Stays as written from run to run.
  void set_input(std::span<const float> values);
  std::vector<float> input() const;
  std::vector<float> output() const;

  /// One forward pass: the timed call. On a GPU it returns before the work is done.
  void run() const;

  /// The same, with each buffer's birth and death entered in the ledger and the guard bytes behind
  /// it checked. Returns the buffers that were alive when the arena was fullest. Throws
  /// std::logic_error that names a step that wrote past its buffer.
  std::vector<BufferId> run_accounted();

  /// The same, with a look at the buffers before and after each step.
  void run_observed(const std::function<void(const Step&)>& before,
                    const std::function<void(const Step&)>& after) const;

  /// The same, step by step with a clock between: never to be summed into run()'s time.
  std::vector<StepTime> run_profiled() const;

  /// The planned view of its memory.
  const MemoryPlan& plan() const { return plan_; }
  const Program& program() const { return program_; }
  /// Where the buffers of program() are, on the device; one is alive between its first and its last
  /// step only.
  const BufferTable& buffers() const { return table_; }
  Device& device() const { return ledger_.device(); }

 private:
  std::vector<float> read(const Buffer& buffer) const;
  void check_guard(BufferId id, const Step& step) const;

  Ledger& ledger_;
  Program program_;
  MemoryPlan plan_;
  Buffer arena_, input_, output_;
  BufferTable table_;
};

}  // namespace xnorbench
