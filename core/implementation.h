// The interface. Start reading here.
//
// A binary convolution takes a tensor of signs and weights of signs and gives exact integer sums;
// each way to compute it is one Implementation in one file, named in core/implementations.def.
// Planning and running are separate, as in cuDNN, oneDNN and CUTLASS:
//
//   const Support support = implementation.supports(problem, machine);    // ok, or the reason
//   Ledger ledger(implementation.device());                               // memory with owners
//   auto plan = implementation.prepare(problem, weights, context);        // packs weights
//   plan->run(source, output, workspace);                                 // the timed call
//
// An implementation computes sums. Everything after the sum (alpha, batch norm, sign, packing for
// the next layer, adding into a residual) is one shared Epilogue that it calls on tiles of sums
// while they are in cache; everything before (sign and packing of a float tensor) is the shared
// sign_pass of core/packed_input.h. So all implementations are matched in all but the sums.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device.h"
#include "core/epilogue.h"
#include "core/isa.h"
#include "core/machine.h"
#include "core/memory.h"
#include "core/packed_input.h"
#include "core/problem.h"

namespace xnorbench {

struct CorePeakRates;

struct ImplementationInfo {
  std::string name;         ///< <device>_<arithmetic>_<algorithm>
  std::string device;       ///< "cpu" or "cuda"
  std::string arithmetic;   ///< what is multiplied and added: "xnor", "f32", "i8", ...
  std::string description;  ///< one sentence
  /// Name of the way of computing real layers (reference/float_backend.h) that its memory is looked
  /// at with; empty for the usual one.
  std::string float_backend = {};
};

/// Whether a problem can run here. The reason is a result: it is shown, never hidden.
struct Support {
  enum class Status {
    ok,
    unsupported,  ///< this implementation never computes such a problem
    unavailable,  ///< this machine or build lacks something
  };
  Status status = Status::ok;
  std::string reason;

  explicit operator bool() const { return status == Status::ok; }
  static Support unsupported(std::string reason) {
    return {Status::unsupported, std::move(reason)};
  }
  static Support unavailable(std::string reason) {
    return {Status::unavailable, std::move(reason)};
  }
};

/// "ok", "unsupported" or "unavailable".
std::string to_string(Support::Status status);

/// What a layer is made of. `prepare` packs `values` by the problem's zero rule.
struct Weights {
  std::span<const float> values;  ///< O, I/groups, KH, KW; only the signs count
  EpilogueParameters epilogue;
};

/// What a case may take of the machine.
struct Resources {
  CpuShare cpu;
  /// Of several algorithms that a library offers, none is taken whose scratchpad is larger.
  std::size_t workspace_limit_bytes = std::size_t{256} << 20;
};

/// What a plan may use. The ledger is one of the implementation's device, and must outlive the
/// plan.
struct Context {
  Ledger& ledger;
  CpuShare cpu;
  std::size_t workspace_limit_bytes = Resources{}.workspace_limit_bytes;
};

/// The code that a plan will run, for the record.
struct KernelName {
  std::string isa;      ///< instruction set of the timed code
  std::string library;  ///< the library's own name of its kernel; empty for our own code
};

/// A problem made ready on one implementation: weights packed, workspace sized. Not for two calls
/// at the same time.
class Plan {
 public:
  virtual ~Plan() = default;
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  virtual KernelName kernel() const = 0;
  /// Type of the sums behind Output::sums.
  virtual SumType sum_type() const = 0;
  /// Bytes that `run` needs as workspace (aligned to buffer_alignment, contents ignored), by
  /// category.
  virtual MemoryUse workspace() const = 0;
  std::size_t workspace_bytes() const { return workspace().total(); }

  /// One layer, start to end. `source` is a packed input in the implementation's source_format;
  /// `output` holds a pointer for each part that the problem's destination asks for. Packed inputs
  /// are aligned to buffer_alignment, float tensors (which may be slices of wider ones) to 4.
  /// OpenMP's settings are the caller's again afterwards. All pointers are the device's; on a GPU
  /// the call returns before its work is done, and the work of later calls waits for it.
  virtual void run(const void* source, const Output& output, std::byte* workspace) = 0;
};

class Implementation {
 public:
  virtual ~Implementation() = default;

  virtual const ImplementationInfo& info() const = 0;
  /// Where it runs. Only when it is available().
  virtual Device& device() const { return host_device(); }
  /// The machine alone (restrict_to() of core/isa.h gives one with less): is there what this
  /// implementation needs?
  virtual Support available(const Machine& machine) const = 0;
  /// `problem` is valid. Includes available().
  virtual Support supports(const ConvProblem& problem, const Machine& machine) const = 0;
  /// The packed input that run() reads. A layer that feeds this one is prepared with it as
  /// EpilogueParameters::next.
  virtual PackedFormat source_format(const ConvProblem& problem) const = 0;
  /// Only for problems that it supports. Keeps no reference to `weights`. Allocates from the
  /// ledger: throws InputError without memory, std::runtime_error when a library refuses after all.
  virtual std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                        Context& context) const = 0;
  /// MACs per cycle of one thread that no run can exceed on a core with these peak rates
  /// (cpu/bounds.h has the formulas); nothing where no bound is known, and then results have no
  /// share of one.
  virtual std::optional<double> bound(const CorePeakRates&) const { return std::nullopt; }
};

/// All of them, in the order of core/implementations.def.
std::span<const Implementation* const> all_implementations();

/// Those whose names match a comma-separated list; a name may hold '*'. Throws InputError when a
/// part matches none.
std::vector<const Implementation*> find_implementations(const std::string& list);

}  // namespace xnorbench
