// What run.json says of a run before it starts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/implementation.h"

namespace xnorbench {

/// `implementations`: those of the run. Others are not asked whether they are available: a GPU
/// would be opened for it.
nlohmann::ordered_json describe_run(const std::vector<std::string>& command,
                                    const std::vector<const Implementation*>& implementations);

/// ISO 8601, UTC, seconds.
std::string utc_now();

}  // namespace xnorbench
