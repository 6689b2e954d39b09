// Which libraries this program was built with.
#pragma once

#include <map>
#include <string>

namespace xnorbench {

/// Name -> version; an empty version for a library it was built without.
std::map<std::string, std::string> library_versions();

}  // namespace xnorbench
