#include "bench/cases/layer_case.h"

#include <fmt/format.h>

#include "bench/cases/checker.h"

namespace xnorbench {
namespace {

/// The text of a product does not say where the timed region begins and ends.
std::string region_of(const LayerTask& task) {
  if (task.kind == "conv") return {};
  return fmt::format("_src{}_dst{}", to_string(task.problem.source),
                     to_string(task.problem.destination));
}

Record describe(const LayerTask& task, const Implementation& implementation, const CpuShare& cpu,
                Cache cache) {
  const ConvProblem& problem = task.problem;
  Record record;
  record.kind = task.kind;
  record.network = task.network;
  record.layer = task.layer;
  record.problem = task.name;
  record.set_implementation(implementation.info());
  record.source = to_string(problem.source);
  record.destination = to_string(problem.destination);
  record.batch = problem.shape.batch;
  record.set_cpu(cpu);
  record.seed = task.seed;
  record.macs = problem.shape.macs();
  record.case_name = fmt::format("{}/{}{}/{}/{}/{}", record.kind, record.problem, region_of(task),
                                 record.implementation, record.cpu_text(), to_string(cache));
  return record;
}

}  // namespace

const LayerTask::Data& LayerTask::data(Pattern pattern) {
  Data& data = data_[pattern];
  if (data.expected.empty()) {
    // Each seed here stands for three seeds of `check`, so that they have all patterns.
    data.seed = seed % (UINT64_MAX / 3) * 3;
    while (pattern_of_seed(data.seed) != pattern) ++data.seed;
    data.values = make_layer_data(problem, data.seed, pattern);
    data.expected = expected_result(problem, data.values);
  }
  return data;
}

LayerCase::LayerCase(std::shared_ptr<LayerTask> task, const Implementation& implementation,
                     const Resources& resources, Cache cache)
    : TimedCase(describe(*task, implementation, resources.cpu, cache), cache),
      task_(std::move(task)),
      implementation_(implementation),
      resources_(resources) {}

double LayerCase::prepare() {
  layer_ = std::make_unique<PreparedLayer>(implementation_, task_->problem,
                                           task_->data(Pattern::random).values, resources_);
  return layer_->prepare_ns();
}

std::string LayerCase::compare(const PreparedLayer& layer, const LayerTask::Data& data) const {
  const auto mismatch = first_mismatch(data.expected, layer.result());
  if (!mismatch) return {};
  return fmt::format(
      "differs from the oracle in {} of {} elements; repeat with: xnorbench check --shapes={} "
      "--implementations={} --seed={} --threads={}",
      mismatch->count, data.expected.size(), to_text(task_->problem), record.implementation,
      data.seed, record.threads);
}

Verification LayerCase::verify() {
  // Random data is timed. Its sums stay far from K, so sums near K are checked as well.
  const LayerTask::Data& near_k = task_->data(Pattern::near_k);
  const LayerTask::Data& random = task_->data(Pattern::random);
  Verification verification;
  {
    PreparedLayer layer(implementation_, task_->problem, near_k.values, resources_);
    layer.run();
    verification.wrong = compare(layer, near_k);
  }
  const std::size_t before = device().bytes_in_use();
  verification.prepare_ns = prepare();
  layer_->run();
  verification.resident_growth =
      static_cast<std::int64_t>(device().bytes_in_use()) - static_cast<std::int64_t>(before);
  verification.peak = layer_->ledger().peak();
  if (verification.wrong.empty()) verification.wrong = compare(*layer_, random);
  return verification;
}

}  // namespace xnorbench
