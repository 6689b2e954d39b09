// Buffer policies: which of a network's buffers may share bytes. Memory reports compare them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/planner.h"

namespace xnorbench {

/// A named set of rules. Without any of them, every node of the graph has an output and a workspace
/// of its own, and nothing is freed before the end of the forward pass, as with the modules of
/// Torch7. One thing is done in place even then, as in bnn.torch: signs stored as floats are
/// written over the float tensor if nothing else reads it.
struct Policy {
  std::string name;
  /// Several nodes become one step (see compile()), and tensors between them are not stored.
  bool fuses = false;
  bool in_place = false;        ///< relu and add write over an input that nothing reads any more
  bool shares_columns = false;  ///< one workspace (im2col buffer) for all layers
  bool frees_outputs = false;   ///< a tensor's bytes are free after its last reader
};

/// All rules: what this project runs. Buffers that never live at the same time share bytes.
const Policy& arena_policy();
/// None of the rules: modules as in Torch7.
const Policy& per_module_policy();
/// Modules that share one im2col buffer.
const Policy& shared_columns_policy();

/// Those three, in that order.
std::span<const Policy> policies();
/// Throws InputError for an unknown name.
const Policy& find_policy(const std::string& name);

/// Changes the lifetimes of a program's buffers to those that `policy` gives. `is_workspace`: one
/// entry for each buffer. `steps`: of the program.
std::vector<Lifetime> apply_policy(const Policy& policy, std::vector<Lifetime> lifetimes,
                                   const std::vector<bool>& is_workspace, std::size_t steps);

}  // namespace xnorbench
