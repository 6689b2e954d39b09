// Stands where NVIDIA's driver library would be: one that is too old, or that finds no device, as
// the environment says. The CUDA runtime asks no more of it before it gives up.
#include <cstdlib>

namespace {

int from_environment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

}  // namespace

extern "C" {

/// XNORBENCH_FAKE_DRIVER_VERSION: 12040 is a driver for CUDA 12.4.
int cuDriverGetVersion(int* version) {
  *version = from_environment("XNORBENCH_FAKE_DRIVER_VERSION", 11000);
  return 0;
}

/// XNORBENCH_FAKE_DRIVER_INIT: a CUresult; 100 is CUDA_ERROR_NO_DEVICE.
int cuInit(unsigned) { return from_environment("XNORBENCH_FAKE_DRIVER_INIT", 100); }

}  // extern "C"
