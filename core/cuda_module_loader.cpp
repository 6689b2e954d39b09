// The program's side of the CUDA module: finds it and loads it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "core/cuda_module.h"
#include "core/files.h"

namespace xnorbench {
namespace {

struct Loaded {
  CudaModule* module = nullptr;
  Support support;
};

constexpr const char* entry_name = "xnorbench_cuda_module";

Support no_device(const std::string& why) {
  return Support::unavailable("no CUDA device (" + why + ")");
}

Loaded load() {
  // A module that is linked into the program goes first: tests link one that needs no device.
  using Entry = CudaModule* (*)();
  if (void* const linked = dlsym(RTLD_DEFAULT, entry_name)) {
    CudaModule* const module = reinterpret_cast<Entry>(linked)();
    return {module, module->available()};
  }
  if (!XNORBENCH_HAVE_CUDA)
    return {nullptr, Support::unavailable("built without CUDA (nvcc, cuBLAS and cuDNN)")};
  // The driver's library first: without it there is no device, and cuBLAS and cuDNN, which come
  // with the module, need not be loaded.
  if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) return {nullptr, no_device(dlerror())};
  const std::filesystem::path file =
      shipped_file("libxnorbench_cuda.so", "../lib/xnorbench/libxnorbench_cuda.so");
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return {nullptr, Support::unavailable(dlerror())};
  const auto entry = reinterpret_cast<Entry>(dlsym(library, entry_name));
  if (!entry) return {nullptr, Support::unavailable(dlerror())};
  CudaModule* const module = entry();
  return {module, module->available()};
}

bool was_asked_for = false;

const Loaded& loaded() {
  was_asked_for = true;
  static const Loaded result = load();
  return result;
}

}  // namespace

Support cuda_support() { return loaded().support; }

CudaModule& cuda_module() {
  if (!loaded().support) throw std::logic_error(loaded().support.reason);
  return *loaded().module;
}

nlohmann::ordered_json cuda_description() {
  if (!was_asked_for || !loaded().support) return {};
  return cuda_module().description();
}

}  // namespace xnorbench
