#include "bench/layer_case.h"

#include <fmt/format.h>

namespace xnorbench {
namespace {

Record describe(const LayerTask& task, const Implementation& implementation, int threads, Cache cache) {
  const ConvProblem& problem = task.problem;
  Record record;
  record.kind = "conv";
  record.network = task.network;
  record.layer = task.layer;
  record.problem = to_text(problem);
  record.set_implementation(implementation.info());
  record.source = to_string(problem.source);
  record.destination = to_string(problem.destination);
  record.batch = problem.shape.batch;
  record.threads = threads;
  record.seed = task.seed;
  record.macs = problem.shape.macs();
  record.case_name = fmt::format("conv/{}/{}/t{}/{}", record.problem, record.implementation, threads, to_string(cache));
  return record;
}

}  // namespace

const LayerData& LayerTask::data() {
  if (!data_) {
    require_memory(layer_bytes(problem.shape), to_text(problem));
    data_ = std::make_unique<LayerData>(make_layer_data(problem, seed, Pattern::random));
  }
  return *data_;
}

const Canonical& LayerTask::expected() {
  if (!expected_) expected_ = std::make_unique<Canonical>(expected_result(problem, data()));
  return *expected_;
}

LayerCase::LayerCase(std::shared_ptr<LayerTask> task, const Implementation& implementation, int threads, Cache cache)
    : TimedCase(describe(*task, implementation, threads, cache), cache),
      task_(std::move(task)),
      implementation_(implementation) {}

void LayerCase::prepare() {
  layer_ = std::make_unique<PreparedLayer>(implementation_, task_->problem, task_->data(), record.threads);
}

Verification LayerCase::verify() {
  const Canonical& expected = task_->expected();
  const std::size_t before = resident_bytes();
  prepare();
  layer_->run();
  Verification verification;
  verification.resident_growth = static_cast<std::int64_t>(resident_bytes()) - static_cast<std::int64_t>(before);
  verification.peak = layer_->ledger().peak();
  if (const auto mismatch = first_mismatch(expected, layer_->result()))
    verification.wrong = fmt::format("differs from the oracle in {} of {} elements; repeat with: xnorbench check "
                                     "--shapes={} --implementations={}",
                                     mismatch->count, expected.size(), record.problem, record.implementation);
  return verification;
}

}  // namespace xnorbench
