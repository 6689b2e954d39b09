// What the measuring session needs to know of a case: a layer or a network on one implementation.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/sampler.h"
#include "bench/records/record.h"
#include "bench/records/run_folder.h"
#include "networks/deviation.h"

namespace xnorbench {

/// What one run before any timing showed.
struct Verification {
  std::string wrong;      ///< empty when the output was exactly as expected; otherwise what was not
  double prepare_ns = 0;  ///< what prepare() returned
  MemoryUse peak;
  std::int64_t resident_growth = 0;
  std::int64_t peak_resident_growth =
      0;  ///< at the highest moment, preparation included; 0 where unknown, as on a GPU
  std::optional<NetworkMemory> network_memory;
  std::optional<Deviation> deviation;  ///< networks on a GPU: of a pass on its own
};

class TimedCase {
 public:
  TimedCase(Record base, Cache cache) : record(std::move(base)), cache(cache) {
    record.cache = to_string(cache);
  }
  virtual ~TimedCase() = default;
  TimedCase(const TimedCase&) = delete;
  TimedCase& operator=(const TimedCase&) = delete;

  /// Whether the case can run; the reason is recorded otherwise.
  virtual Support support() const = 0;
  /// Packs weights, plans, allocates. Returns the ns that packing and planning took, without the
  /// making of inputs.
  virtual double prepare() = 0;
  /// Where it runs; only when support() is ok.
  virtual Device& device() = 0;
  /// The timed call. On a GPU it returns before the work is done.
  virtual void run() = 0;
  virtual std::string output_hash() const = 0;
  virtual KernelName kernel() const = 0;
  /// Record::bound. Measures this machine's peak rates when it is the first to need them.
  virtual std::optional<double> bound() const = 0;
  /// Frees what prepare() made.
  virtual void release() = 0;
  /// Prepares, runs once, compares exactly, accounts for memory. Leaves the case prepared.
  virtual Verification verify() = 0;
  /// How many passes profile() makes; 0 when it is not wanted.
  virtual int profile_passes() const { return 0; }
  /// Rows of separate passes, step by step; asked for after the last repetition's samples.
  virtual std::vector<SampledRecord> profile() { return {}; }

  Record record;  ///< fields that do not change from repetition to repetition
  const Cache cache;
};

}  // namespace xnorbench
