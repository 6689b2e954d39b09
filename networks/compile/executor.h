// Runs a compiled network. Its buffers lie in one arena.
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
  /// Compiles, plans and allocates. supports_network() must be ok. Throws InputError when memory is
  /// short.
  Executor(const Graph& graph, const NetworkParameters& parameters,
           const Implementation& implementation, FloatBackend float_backend, Context& context,
           const Policy& policy = arena_policy());

  /// In the order N, H, W, C. Runs do not change the input.
  void set_input(std::span<const float> values);
  std::vector<float> input() const;
  std::vector<float> output() const;

  /// One forward pass, which is the timed call. On a GPU it returns before the work is done.
  void run() const;

  /// The same, but tells the ledger when each buffer's life begins and ends, and checks the guard
  /// bytes behind it. Returns the buffers that were alive when the arena was fullest. Throws
  /// std::logic_error that names the step if one wrote past the end of a buffer.
  std::vector<BufferId> run_accounted();

  /// The same, with calls before and after each step, which may read and change the buffers.
  void run_observed(const std::function<void(const Step&)>& before,
                    const std::function<void(const Step&)>& after) const;

  /// The same, with each step timed on its own. Their sum is not the time of run().
  std::vector<StepTime> run_profiled() const;

  /// The planned view of its memory.
  const MemoryPlan& plan() const { return plan_; }
  const Program& program() const { return program_; }
  /// Addresses, on the device, of the buffers of program(). A buffer holds its values only from its
  /// first step to its last.
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
