// A case as the measuring session sees it: a layer or a network on one implementation.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/sampler.h"
#include "bench/records/network_memory.h"
#include "bench/records/sampled_record.h"
#include "core/implementation.h"
#include "networks/deviation.h"

namespace xnorbench {

/// What one run before any timing showed.
struct Verification {
  std::string wrong;      ///< how the output differs from the expected one; empty when it does not
  double prepare_ns = 0;  ///< returned by prepare()
  MemoryUse peak;
  std::int64_t resident_growth = 0;
  /// At the highest moment, preparation included; 0 if unknown, as on a GPU.
  std::int64_t peak_resident_growth = 0;
  std::optional<NetworkMemory> network_memory;
  std::optional<Deviation> deviation;  ///< networks on a GPU only
};

class TimedCase {
 public:
  TimedCase(Record base, Cache cache) : record(std::move(base)), cache(cache) {
    record.cache = to_string(cache);
  }
  virtual ~TimedCase() = default;
  TimedCase(const TimedCase&) = delete;
  TimedCase& operator=(const TimedCase&) = delete;

  /// Whether the case can run. If it cannot, the reason goes into its row.
  virtual Support support() const = 0;
  /// Packs weights, plans and allocates. Returns how many ns packing and planning took; making
  /// inputs is not counted.
  virtual double prepare() = 0;
  /// The device that it runs on. Only for a case that can run.
  virtual Device& device() = 0;
  /// The timed call. On a GPU it returns before the work is done.
  virtual void run() = 0;
  virtual std::string output_hash() const = 0;
  virtual KernelName kernel() const = 0;
  /// For Record::bound. The first call measures this machine's peak rates.
  virtual std::optional<double> bound() const = 0;
  /// Frees what prepare() made.
  virtual void release() = 0;
  /// Prepares, runs once, compares exactly, accounts for memory. Leaves the case prepared.
  virtual Verification verify() = 0;
  /// How many passes profile() makes; 0 when it is not wanted.
  virtual int profile_passes() const { return 0; }
  /// Rows of further passes, one for each step. Called after the last repetition.
  virtual std::vector<SampledRecord> profile() { return {}; }

  Record record;  ///< what all rows of the case begin with
  const Cache cache;
};

}  // namespace xnorbench
