// The interface of the benchmark. Start reading here.
//
// A binary convolution takes a tensor of signs and weights of signs, and gives exact integer sums.
// Each way to compute it is one Implementation: one file, and one line in core/implementations.def.
// Planning and running are separate, as in cuDNN, oneDNN and CUTLASS:
//
//   const Support support = implementation.supports(problem, machine);    // ok, or the reason
//   Ledger ledger(implementation.device());                               // counts its memory
//   Context context{ledger, cpu};
//   auto plan = implementation.prepare(problem, weights, context);        // packs the weights
//   plan->run(source, output, workspace);                                 // the timed call
//
// One layer is
//
//   float tensor -> sign, pack -> packed input -> Plan::run -> sums -> epilogue -> output
//
// and only the sums differ between implementations. What comes before them (sign and packing) is
// the shared sign_pass() of core/packed_input.h. What comes after them (alpha, batch norm, sign,
// packing for the next layer, addition to a shortcut) is the shared Epilogue of core/epilogue.h,
// which run() calls on tiles of sums while they are in cache.
//
// Read next: core/problem.h (what is computed), core/packed_input.h (what run() reads),
// core/epilogue.h (what it writes), core/memory.h (who owns a byte).
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
  /// The float backend (core/real_convolution.h) beside which memory reports show it, by name.
  /// Empty: its own library if it is a float implementation, else the device's default.
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
  std::string reason;  ///< one line; empty if ok

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

/// What a layer has learned. Spans and vectors are of the host.
struct Weights {
  std::span<const float> values;  ///< O, I/groups, KH, KW; only the signs count
  EpilogueParameters epilogue;
};

/// What one case may take of the machine.
struct Resources {
  CpuShare cpu;
  /// A library that offers several algorithms never takes one with a larger scratchpad.
  std::size_t workspace_limit_bytes = std::size_t{256} << 20;
};

/// What a plan may use. The ledger counts memory of the implementation's device and must outlive
/// the plan.
struct Context {
  Ledger& ledger;
  CpuShare cpu;
  std::size_t workspace_limit_bytes = Resources{}.workspace_limit_bytes;
};

/// The code that a plan runs, for the record.
struct KernelName {
  std::string isa;      ///< instruction set of the timed code
  std::string library;  ///< the library's own name of its kernel; empty for this project's code
};

/// A problem made ready on one implementation: weights packed, workspace sized. One call of run()
/// at a time.
class Plan {
 public:
  virtual ~Plan() = default;
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  virtual KernelName kernel() const = 0;
  /// Type of the sums behind Output::sums.
  virtual SumType sum_type() const = 0;
  /// Bytes of the workspace that `run` needs, by owner.
  virtual MemoryUse workspace() const = 0;
  std::size_t workspace_bytes() const { return workspace().total(); }

  /// Computes one layer.
  ///  source     packed input in the implementation's source_format
  ///  output     a pointer for each part that the problem's destination names
  ///  workspace  workspace_bytes() bytes; their contents before and after mean nothing
  /// Packed inputs and workspace are aligned to buffer_alignment, float tensors to 4 bytes, since
  /// those may be slices of wider ones. All pointers are the device's. On a GPU the call returns
  /// before its work is done, and the work of later calls waits for it. On a CPU it leaves OpenMP's
  /// settings as it found them.
  virtual void run(const void* source, const Output& output, std::byte* workspace) = 0;
};

class Implementation {
 public:
  virtual ~Implementation() = default;

  virtual const ImplementationInfo& info() const = 0;
  /// Where it runs. Only for an implementation that is available().
  virtual Device& device() const { return host_device(); }

  /// Whether the machine has what this implementation needs, for any problem. restrict_to() of
  /// core/isa.h gives a machine with fewer instruction sets.
  virtual Support available(const Machine& machine) const = 0;
  /// Whether it computes `problem`, which is valid, on this machine. Includes available().
  virtual Support supports(const ConvProblem& problem, const Machine& machine) const = 0;

  /// The packed input that run() reads. A layer that feeds this one is prepared with it as
  /// EpilogueParameters::next.
  virtual PackedFormat source_format(const ConvProblem& problem) const = 0;
  /// Only for a problem that supports() allows. Copies what it needs of `weights`. Allocates from
  /// the ledger. Throws InputError when memory is short, std::runtime_error when a library refuses
  /// after all.
  virtual std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                        Context& context) const = 0;

  /// MACs per cycle that one thread cannot exceed on a core with these peak rates; cpu/bounds.h has
  /// the formulas. Nothing where no bound is known: results then have no share of it.
  virtual std::optional<double> bound(const CorePeakRates&) const { return std::nullopt; }
};

/// All of them, in the order of core/implementations.def.
std::span<const Implementation* const> all_implementations();

/// Those whose names match a comma-separated list; a name may hold '*'. Throws InputError when a
/// part matches none.
std::vector<const Implementation*> find_implementations(const std::string& list);

}  // namespace xnorbench
