// Which of a network's buffers may share bytes: the axis of the memory report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/planner.h"

namespace xnorbench {

/// A named set of rules. Without any of them every node of the graph has an output and a workspace
/// of its own and nothing is freed before the end of the pass, as the modules of Torch7 do; but one
/// thing is done in place even so, as in bnn.torch: the sign of a float tensor that nothing else
/// reads, where packed inputs are floats.
struct Policy {
  std::string name;
  bool fuses = false;     ///< several nodes in one step, and no tensor that only a fused step would
                          ///< read (compile())
  bool in_place = false;  ///< relu and add write over an input that nothing reads any more
  bool shares_columns = false;  ///< one workspace for all layers
  bool frees_outputs = false;   ///< bytes of a tensor are free after its last reader
};

/// Two buffers that never live together share bytes, and as little as possible is kept: what this
/// project runs.
const Policy& arena_policy();
/// Modules as in Torch7.
const Policy& per_module_policy();
/// Modules with one column buffer for all.
const Policy& shared_columns_policy();

/// Those three, in that order.
std::span<const Policy> policies();
/// Throws InputError for a name that is none.
const Policy& find_policy(const std::string& name);

/// Lifetimes as `policy` has them, from those of the program. `is_workspace`: one for each.
std::vector<Lifetime> apply_policy(const Policy& policy, std::vector<Lifetime> lifetimes,
                                   const std::vector<bool>& is_workspace, std::size_t steps);

}  // namespace xnorbench
