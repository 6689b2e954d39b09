#include "kernels/module_list.h"

#include <stdexcept>
#include <string>

namespace xnorbench::cuda {

#define XNORBENCH_IMPLEMENTATION(name)
#define XNORBENCH_CUDA_IMPLEMENTATION(name, arithmetic, description) \
  const CudaImplementation& name();
#include "core/implementations.def"
#undef XNORBENCH_CUDA_IMPLEMENTATION

const CudaImplementation& find_implementation(std::string_view name) {
#define XNORBENCH_CUDA_IMPLEMENTATION(entry, arithmetic, description) \
  if (name == #entry) return entry();
#include "core/implementations.def"
#undef XNORBENCH_CUDA_IMPLEMENTATION
#undef XNORBENCH_IMPLEMENTATION
  throw std::logic_error("the CUDA module has no implementation " + std::string(name));
}

}  // namespace xnorbench::cuda
