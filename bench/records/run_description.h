// The description of a run in run.json, as it is when the run starts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/implementation.h"

namespace xnorbench {

/// `implementations`: those of the run. Only they are asked whether they are available, because
/// asking may open a GPU.
nlohmann::ordered_json describe_run(const std::vector<std::string>& command,
                                    const std::vector<const Implementation*>& implementations);

/// The time now in UTC, as ISO 8601 with seconds.
std::string utc_now();

}  // namespace xnorbench
