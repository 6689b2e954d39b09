#include "bench/claims/claim_cases.h"

#include <fmt/format.h>

#include "bench/cases/gemm_problem.h"
#include "bench/cases/layer_case.h"
#include "bench/cases/network_case.h"
#include "bench/records/statistics.h"

namespace xnorbench {

void ClaimCases::add(std::unique_ptr<TimedCase> timed_case) {
  if (names_.insert(timed_case->record.case_name).second) cases_.push_back(std::move(timed_case));
}

template <typename F>
void ClaimCases::for_each_implementation(const std::string& list, F&& f) {
  for (const Implementation* implementation : find_implementations(list))
    f(*implementation, Resources{CpuShare{}, options_.workspace_limit_bytes});
}

void ClaimCases::add_layer(const std::string& problem, const std::string& implementations) {
  auto task = std::make_shared<LayerTask>();
  task->problem = parse_problem(problem);
  task->name = to_text(task->problem);
  task->seed = options_.seed;
  for_each_implementation(
      implementations, [&](const Implementation& implementation, const Resources& resources) {
        add(std::make_unique<LayerCase>(task, implementation, resources, Cache::hot));
      });
}

void ClaimCases::add_product(const std::string& sizes, const std::string& implementations) {
  auto task = std::make_shared<LayerTask>();
  task->kind = "gemm";
  task->problem = parse_gemm(sizes);
  task->name = to_gemm_text(task->problem);
  task->seed = options_.seed;
  for_each_implementation(
      implementations, [&](const Implementation& implementation, const Resources& resources) {
        add(std::make_unique<LayerCase>(task, implementation, resources, Cache::hot));
      });
}

void ClaimCases::add_network(const std::string& network, std::int64_t batch,
                             const std::string& implementations) {
  const std::shared_ptr<NetworkTask> task =
      make_network_task(find_network_sources(network).front(), batch, "random", options_.seed);
  for_each_implementation(
      implementations, [&](const Implementation& implementation, const Resources& resources) {
        // A network without binary layers runs on its implementation's library: OpenBLAS in
        // Torch7's way.
        const bool in_torch_way =
            count(task->graph).binary_convolutions == 0 && available(FloatBackend::torch);
        const FloatBackend float_backend =
            in_torch_way ? FloatBackend::torch : default_float_backend("cpu");
        add(std::make_unique<NetworkCase>(
            task, NetworkSetting{&implementation, float_backend, resources}, Cache::hot, false));
      });
}

std::string network_at_batch(const std::string& network, std::int64_t batch) {
  return fmt::format("{}/n{}", network, batch);
}

const CaseResult* ClaimTimes::find(const std::string& what,
                                   const std::string& implementation) const {
  for (const CaseResult& c : result_.cases) {
    const bool is_network = c.record.kind == "network";
    const std::string name =
        is_network ? network_at_batch(c.record.network, c.record.batch) : c.record.problem;
    if (name == what && c.record.implementation == implementation) return &c;
  }
  return nullptr;
}

std::optional<double> ClaimTimes::ns(const std::string& what,
                                     const std::string& implementation) const {
  const CaseResult* const found = find(what, implementation);
  if (!found || found->medians_ns.empty()) return std::nullopt;
  return median(found->medians_ns);
}

std::optional<double> ClaimTimes::ratio(const std::string& what, const std::string& slow,
                                        const std::string& fast) const {
  const std::optional<double> slow_ns = ns(what, slow), fast_ns = ns(what, fast);
  if (!slow_ns || !fast_ns) return std::nullopt;
  return *slow_ns / *fast_ns;
}

std::string ClaimTimes::reason(const std::string& what, const std::string& implementation) const {
  const CaseResult* const found = find(what, implementation);
  if (!found) {
    const Support support = find_implementations(implementation).front()->available(this_machine());
    return fmt::format("{}: {}", implementation, support ? "not measured" : support.reason);
  }
  return fmt::format("{}: {}{}{}", implementation, found->record.status,
                     found->record.reason.empty() ? "" : ": ", found->record.reason);
}

}  // namespace xnorbench
