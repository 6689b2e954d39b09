// One binary layer on one implementation, as a case to be measured.
#pragma once

#include <map>
#include <memory>

#include "bench/cases/layer.h"
#include "bench/measure/peaks.h"
#include "bench/measure/timed_case.h"

namespace xnorbench {

/// Data and expected result of a problem, shared by the cases of all implementations.
struct LayerTask {
  std::string kind = "conv";  ///< in the records: conv or gemm
  std::string name;           ///< the problem's text in the records
  ConvProblem problem;
  std::string network, layer;  ///< where the shape comes from; may be empty
  std::uint64_t seed = 0;

  /// Data of one kind and its expected result, made on first use. `check` makes the same data from
  /// the same seed.
  struct Data {
    std::uint64_t seed = 0;
    LayerData values;
    Canonical expected;
  };
  const Data& data(Pattern pattern);

 private:
  std::map<Pattern, Data> data_;
};

class LayerCase final : public TimedCase {
 public:
  LayerCase(std::shared_ptr<LayerTask> task, const Implementation& implementation,
            const Resources& resources, Cache cache);

  Support support() const override {
    return implementation_.supports(task_->problem,
                                    restrict_to(this_machine(), resources_.cpu.isa));
  }
  double prepare() override;
  Device& device() override { return implementation_.device(); }
  void run() override { layer_->run(); }
  std::string output_hash() const override { return hash_of(layer_->result()); }
  KernelName kernel() const override { return layer_->plan().kernel(); }
  std::optional<double> bound() const override { return bound_of(implementation_, resources_.cpu); }
  void release() override { layer_.reset(); }
  Verification verify() override;

 private:
  /// The fault in the result of the last run; empty if there is none.
  std::string compare(const PreparedLayer& layer, const LayerTask::Data& data) const;

  std::shared_ptr<LayerTask> task_;
  const Implementation& implementation_;
  Resources resources_;
  std::unique_ptr<PreparedLayer> layer_;
};

}  // namespace xnorbench
