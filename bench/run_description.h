// What run.json says of a run before it starts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xnorbench {

nlohmann::ordered_json describe_run(const std::vector<std::string>& command);

/// ISO 8601, UTC, seconds.
std::string utc_now();

}  // namespace xnorbench
