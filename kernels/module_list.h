// The module's side of core/implementations.def.
#pragma once

#include <string_view>

#include "core/cuda_module.h"

namespace xnorbench::cuda {

/// Throws std::logic_error for a name that is not in the list.
const CudaImplementation& find_implementation(std::string_view name);

}  // namespace xnorbench::cuda
