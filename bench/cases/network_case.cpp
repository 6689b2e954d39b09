#include "bench/cases/network_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bench/cases/planned_network.h"
#include "bench/measure/peaks.h"
#include "bench/records/statistics.h"
#include "core/comparison.h"

namespace xnorbench {
namespace {

std::string hash_of_floats(const std::vector<float>& values) {
  return hash_bytes(values.data(), values.size() * sizeof(float));
}

Record describe(const NetworkTask& task, const NetworkSetting& setting, FloatBackend float_backend,
                Cache cache) {
  Record record;
  record.kind = "network";
  record.network = task.graph.name();
  record.set_implementation(setting.implementation->info());
  record.float_backend = to_string(float_backend);
  record.source = "f32";
  record.destination = "f32";
  record.batch = task.graph.input_shape().batch;
  record.set_cpu(setting.resources.cpu);
  record.seed = task.seed;
  record.input = task.input_name;
  record.macs = count(task.graph).macs();
  record.case_name =
      fmt::format("network/{}/{}/n{}/{}/{}/{}", record.network, record.implementation, record.batch,
                  record.cpu_text(), record.float_backend, to_string(cache));
  return record;
}

}  // namespace

NetworkCase::NetworkCase(std::shared_ptr<NetworkTask> task, const NetworkSetting& setting,
                         Cache cache, bool with_profile)
    : TimedCase(describe(*task, setting,
                         effective_float_backend(task->graph, *setting.implementation,
                                                 setting.float_backend),
                         cache),
                cache),
      task_(std::move(task)),
      setting_(setting),
      reference_float_backend_(device_of(setting.float_backend) == "cpu"
                                   ? setting.float_backend
                                   : default_float_backend("cpu")),
      with_profile_(with_profile) {
  setting_.float_backend =
      effective_float_backend(task_->graph, *setting.implementation, setting.float_backend);
}

Support NetworkCase::support() const {
  return supports_network(task_->graph, *setting_.implementation, setting_.float_backend,
                          restrict_to(this_machine(), setting_.resources.cpu.isa));
}

double NetworkCase::prepare() {
  ledger_ = std::make_unique<Ledger>(device());
  Context context{*ledger_, setting_.resources.cpu, setting_.resources.workspace_limit_bytes};
  const double ns = time_once([&] {
    executor_ =
        std::make_unique<Executor>(task_->graph, task_->parameters, *setting_.implementation,
                                   setting_.float_backend, context, setting_.policy);
  });
  executor_->set_input(task_->input);
  return ns;
}

void NetworkCase::release() {
  executor_.reset();
  ledger_.reset();
}

std::string NetworkCase::output_hash() const { return hash_of_floats(executor_->output()); }

KernelName NetworkCase::kernel() const {
  // A library may use a different kernel for each convolution: all names, each once.
  const Part part =
      count(task_->graph).binary_convolutions > 0 ? Part::convolution : Part::real_layer;
  KernelName all;
  std::vector<std::string> seen;
  for (const Step& step : executor_->program().steps) {
    if (step.part != part) continue;
    all.isa = step.kernel.isa;
    if (std::find(seen.begin(), seen.end(), step.kernel.library) == seen.end())
      seen.push_back(step.kernel.library);
  }
  for (const std::string& name : seen) all.library += (all.library.empty() ? "" : " ") + name;
  return all;
}

std::optional<double> NetworkCase::bound() const {
  return bound_of_network(count(task_->graph), *setting_.implementation, setting_.resources.cpu);
}

NetworkMemory NetworkCase::memory_identity() const {
  NetworkMemory memory;
  memory.network = record.network;
  memory.implementation = record.implementation;
  memory.limited_to = record.limited_to;
  memory.float_backend = record.float_backend;
  memory.policy = setting_.policy.name;
  memory.batch = record.batch;
  memory.threads = record.threads;
  memory.seed = record.seed;
  memory.input = record.input;
  return memory;
}

NetworkMemory NetworkCase::describe_memory(const Program& program, const MemoryPlan& plan) const {
  NetworkMemory memory = memory_identity();
  memory.set_plan(program, plan);
  return memory;
}

NetworkMemory NetworkCase::plan_memory() const {
  const PlannedNetwork planned(task_->graph, task_->parameters, setting_);
  return describe_memory(planned.program(), planned.plan());
}

Verification NetworkCase::verify() {
  const bool on_host = &device() == &host_device();
  if (on_host)
    task_->expected(setting_.float_backend,
                    record.threads);  // now, so that its memory is not counted as the case's
  if (!on_host) {  // the first use loads a driver's libraries: not this case's memory
    prepare();
    executor_->run();
    release();
  }
  const std::size_t before = device().bytes_in_use();
  const bool knows_peak = on_host && begin_peak_resident();
  Verification verification;
  verification.prepare_ns = prepare();
  const std::vector<BufferId> fullest = executor_->run_accounted();
  if (knows_peak)
    verification.peak_resident_growth =
        static_cast<std::int64_t>(peak_resident_bytes()) - static_cast<std::int64_t>(before);
  verification.resident_growth =
      static_cast<std::int64_t>(device().bytes_in_use()) - static_cast<std::int64_t>(before);
  verification.peak = ledger_->peak();
  verification.network_memory = describe_memory(executor_->program(), executor_->plan());
  verification.network_memory->set_measured(
      verification.peak, fullest, verification.resident_growth, verification.peak_resident_growth);
  on_host ? verify_on_host(verification) : verify_on_device(verification);
  return verification;
}

void NetworkCase::verify_on_host(Verification& verification) {
  const std::vector<float>& expected = task_->expected(setting_.float_backend, record.threads);
  // Compares bits, since NaN is not equal to itself.
  if (std::memcmp(expected.data(), executor_->output().data(), expected.size() * sizeof(float)) !=
      0)
    verification.wrong = fmt::format("output {} differs from the reference executor's {}",
                                     output_hash(), hash_of_floats(expected));
}

void NetworkCase::verify_on_device(Verification& verification) {
  const ReferenceTensors& reference =
      task_->expected_tensors(reference_float_backend_, record.threads);
  verification.wrong =
      check_with_reference_real_layers(*executor_, task_->graph, task_->parameters, reference);
  verification.deviation = measure_deviation(*executor_, task_->graph, reference);
}

Record NetworkCase::describe_step(std::size_t index) const {
  const Step& step = executor_->program().steps[index];
  Record row;
  row.case_name = fmt::format("layer{}/{}", record.case_name.substr(std::strlen("network")), index);
  row.kind = "layer";
  row.network = record.network;
  row.layer = step.name;
  row.part = to_string(step.part);
  row.set_implementation(setting_.implementation->info());
  row.kernel = step.kernel;
  if (!step.problem.empty()) {
    const ConvProblem problem = parse_problem(step.problem);
    row.problem = step.problem;
    row.source = to_string(problem.source);
    row.destination = to_string(problem.destination);
  }
  row.float_backend = record.float_backend;
  row.limited_to = record.limited_to;
  row.batch = record.batch;
  row.threads = record.threads;
  row.cache = record.cache;
  row.seed = record.seed;
  row.input = record.input;
  row.macs = step.macs;
  if (step.part == Part::convolution)
    row.bound = bound_of(*setting_.implementation, setting_.resources.cpu);
  if (step.part == Part::real_layer)
    row.bound = bound_of_real_layers(*setting_.implementation, setting_.resources.cpu);
  return row;
}

std::vector<SampledRecord> NetworkCase::profile() {
  if (!with_profile_) return {};
  std::vector<SampledRecord> rows;
  for (std::size_t i = 0; i < executor_->program().steps.size(); ++i)
    rows.push_back({describe_step(i), {}});
  const double clock_before = device().measure_clock_hz();
  for (int pass = 0; pass < profile_passes(); ++pass) {
    const std::vector<StepTime> steps = executor_->run_profiled();
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].samples.push_back(steps[i].nanoseconds);
  }
  const double clock_hz = (clock_before + device().measure_clock_hz()) / 2;
  for (SampledRecord& row : rows) {
    row.record.set_times(summarise(row.samples), profile_passes());
    row.record.calls_per_sample = 1;
    row.record.clock_hz = clock_hz;
  }
  return rows;
}

}  // namespace xnorbench
