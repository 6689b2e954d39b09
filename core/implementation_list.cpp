// The list of implementations. It is explicit: the linker drops none of them, nothing depends on
// the order of initialisation, and one page shows them all.
#include <array>

#include "core/cuda_proxy.h"
#include "core/error.h"
#include "core/implementation.h"
#include "core/names.h"

// A test builds this file with a list of its own.
#ifndef XNORBENCH_IMPLEMENTATIONS_FILE
#define XNORBENCH_IMPLEMENTATIONS_FILE "core/implementations.def"
#endif

namespace xnorbench {

#define XNORBENCH_IMPLEMENTATION(name) const Implementation& name();
#define XNORBENCH_CUDA_IMPLEMENTATION(name, arithmetic, description)        \
  static const Implementation& name() {                                     \
    static const CudaProxy proxy({#name, "cuda", arithmetic, description}); \
    return proxy;                                                           \
  }
#include XNORBENCH_IMPLEMENTATIONS_FILE
#undef XNORBENCH_IMPLEMENTATION
#undef XNORBENCH_CUDA_IMPLEMENTATION

std::span<const Implementation* const> all_implementations() {
#define XNORBENCH_IMPLEMENTATION(name) &name(),
#define XNORBENCH_CUDA_IMPLEMENTATION(name, arithmetic, description) &name(),
  static const std::array list{
#include XNORBENCH_IMPLEMENTATIONS_FILE
  };
#undef XNORBENCH_IMPLEMENTATION
#undef XNORBENCH_CUDA_IMPLEMENTATION
  return list;
}

std::vector<const Implementation*> find_implementations(const std::string& list) {
  std::vector<std::string> known;
  for (const Implementation* implementation : all_implementations())
    known.push_back(implementation->info().name);
  std::vector<const Implementation*> found;
  for (std::size_t index : select_names("implementation", list, known))
    found.push_back(all_implementations()[index]);
  return found;
}

std::string to_string(Support::Status status) {
  switch (status) {
    case Support::Status::ok: return "ok";
    case Support::Status::unsupported: return "unsupported";
    case Support::Status::unavailable: return "unavailable";
  }
  return {};
}

}  // namespace xnorbench
