// What this program was built from; values come from a file that the build writes.
#pragma once

namespace xnorbench::build_info {

extern const char* const version;
extern const char* const commit;  ///< "unknown" outside a git checkout
extern const bool dirty;          ///< built with changes that are not committed
extern const char* const compiler;
extern const char* const type;
extern const char* const flags;
extern const char* const benchmark_version;

}  // namespace xnorbench::build_info
