#include "networks/compile/policy.h"

#include <array>

#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

const std::array<Policy, 3>& all() {
  static const std::array<Policy, 3> list{{{.name = "arena",
                                            .fuses = true,
                                            .in_place = true,
                                            .shares_columns = true,
                                            .frees_outputs = true},
                                           {.name = "per_module"},
                                           {.name = "shared_columns", .shares_columns = true}}};
  return list;
}

}  // namespace

const Policy& arena_policy() { return all()[0]; }
const Policy& per_module_policy() { return all()[1]; }
const Policy& shared_columns_policy() { return all()[2]; }
std::span<const Policy> policies() { return all(); }

const Policy& find_policy(const std::string& name) {
  std::string names;
  for (const Policy& policy : all()) {
    if (policy.name == name) return policy;
    names += (names.empty() ? "" : ", ") + policy.name;
  }
  throw_unknown("buffer policy", name, names);
}

std::vector<Lifetime> apply_policy(const Policy& policy, std::vector<Lifetime> lifetimes,
                                   const std::vector<bool>& is_workspace, std::size_t steps) {
  for (std::size_t i = 0; i < lifetimes.size(); ++i)
    if (lifetimes[i].bytes > 0 &&
        !(is_workspace[i] ? policy.shares_columns : policy.frees_outputs)) {
      lifetimes[i].birth = 0;
      lifetimes[i].death = steps - 1;
    }
  return lifetimes;
}

}  // namespace xnorbench
