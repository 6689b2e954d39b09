// A whole forward pass on one implementation, as a case to be measured.
#pragma once

#include <memory>

#include "bench/timed_case.h"
#include "networks/device_check.h"
#include "networks/executor.h"
#include "networks/graph.h"
#include "networks/parameters.h"

namespace xnorbench {

/// A network with its values, shared by the cases of all implementations.
struct NetworkTask {
  NetworkTask(Graph graph, std::string input_name, std::vector<float> input, std::uint64_t seed)
      : graph(std::move(graph)),
        parameters(random_parameters(this->graph, seed)),
        input(std::move(input)),
        input_name(std::move(input_name)),
        seed(seed) {}

  Graph graph;
  NetworkParameters parameters;
  std::vector<float> input;  ///< N, H, W, C
  std::string input_name;
  std::uint64_t seed = 0;

  /// Output of the reference executor; kept for the last way and number of threads asked for.
  const std::vector<float>& expected(RealLayers real_layers, int threads);
  /// The reference executor's maps of all nodes, for networks on a GPU; made once, as first asked for.
  const ReferenceMaps& expected_maps(RealLayers real_layers, int threads);

 private:
  std::vector<float> expected_;
  RealLayers expected_real_layers_ = RealLayers::direct;
  int expected_threads_ = 0;
  ReferenceMaps expected_maps_;
};

class NetworkCase final : public TimedCase {
 public:
  NetworkCase(std::shared_ptr<NetworkTask> task, const Implementation& implementation, RealLayers real_layers,
              const Resources& resources, Cache cache, bool with_profile);

  Support support() const override;
  double prepare() override;
  Device& device() override { return implementation_.device(); }
  void run() override { executor_->run(); }
  std::string output_hash() const override;
  KernelName kernel() const override;
  std::optional<double> limit() const override;
  void release() override;
  Verification verify() override;
  int profile_passes() const override { return with_profile_ ? 5 : 0; }
  /// One row per step.
  std::vector<SampledRecord> profile() override;

  /// The output of the last run, N, H, W, C; prepared only.
  std::vector<float> output() const { return executor_->output(); }

 private:
  std::shared_ptr<NetworkTask> task_;
  void verify_on_host(Verification& verification);
  void verify_on_device(Verification& verification);
  Record describe_step(std::size_t index) const;
  NetworkMemory describe_memory(const Verification& verification) const;

  const Implementation& implementation_;
  RealLayers real_layers_;
  RealLayers reference_real_layers_;  ///< of the reference, which is on the CPU
  Resources resources_;
  bool with_profile_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace xnorbench
