// A whole forward pass on one implementation, as a case to be measured.
#pragma once

#include <memory>

#include "bench/cases/network_setting.h"
#include "bench/cases/network_task.h"
#include "bench/measure/timed_case.h"
#include "networks/compile/executor.h"

namespace xnorbench {

class NetworkCase final : public TimedCase {
 public:
  NetworkCase(std::shared_ptr<NetworkTask> task, const NetworkSetting& setting, Cache cache,
              bool with_profile);

  Support support() const override;
  double prepare() override;
  Device& device() override { return setting_.implementation->device(); }
  void run() override { executor_->run(); }
  std::string output_hash() const override;
  KernelName kernel() const override;
  std::optional<double> bound() const override;
  void release() override;
  Verification verify() override;
  /// Filled only as far as NetworkMemory::key() needs it.
  NetworkMemory memory_identity() const;
  /// The plan alone: only the packed weights are allocated, and nothing runs.
  NetworkMemory plan_memory() const;
  int profile_passes() const override { return with_profile_ ? 5 : 0; }
  /// One row per step.
  std::vector<SampledRecord> profile() override;

  /// The output of the last run as N, H, W, C. The case must be prepared.
  std::vector<float> output() const { return executor_->output(); }

 private:
  std::shared_ptr<NetworkTask> task_;
  void verify_on_host(Verification& verification);
  void verify_on_device(Verification& verification);
  Record describe_step(std::size_t index) const;
  NetworkMemory describe_memory(const Program& program, const MemoryPlan& plan) const;

  NetworkSetting setting_;                ///< float_backend is the one that runs
  FloatBackend reference_float_backend_;  ///< of the reference executor, on the CPU
  bool with_profile_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace xnorbench
