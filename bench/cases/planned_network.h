// A network compiled only to plan its memory: its weights are packed, but no tensor is allocated
// and nothing runs.
#pragma once

#include "bench/cases/network_setting.h"
#include "networks/compile/memory_plan.h"

namespace xnorbench {

class PlannedNetwork {
 public:
  /// supports_network() must be ok.
  PlannedNetwork(const Graph& graph, const NetworkParameters& parameters,
                 const NetworkSetting& setting)
      : ledger_(setting.implementation->device()),
        program_(compile(graph, parameters, setting)),
        plan_(plan_memory(program_, setting.policy)) {}

  const Program& program() const { return program_; }
  const MemoryPlan& plan() const { return plan_; }

 private:
  Program compile(const Graph& graph, const NetworkParameters& parameters,
                  const NetworkSetting& setting) {
    Context context{ledger_, setting.resources.cpu, setting.resources.workspace_limit_bytes};
    return xnorbench::compile(
        graph, parameters, *setting.implementation,
        effective_float_backend(graph, *setting.implementation, setting.float_backend), context,
        setting.policy);
  }

  Ledger ledger_;
  Program program_;
  MemoryPlan plan_;
};

}  // namespace xnorbench
