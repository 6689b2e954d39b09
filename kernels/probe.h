// Whether there is a GPU that runs this build, and why not.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "core/implementation.h"

namespace xnorbench::cuda {

/// Of device 0: it is there, its driver is new enough, and there is machine code or PTX for it.
/// Opens a context on it when there is.
Support probe_device();

/// The reason in words for what cudaGetDeviceCount said, `driver_version` and `runtime_version` as
/// CUDA counts them (12040 is 12.4); ok when there are devices.
Support device_support(cudaError_t error, int devices, int driver_version, int runtime_version);
/// The reason when the kernels cannot be loaded on a device of `name` and compute capability
/// `major`.`minor`.
Support code_support(cudaError_t error, const std::string& name, int major, int minor);

/// Loads the machine code of a kernel on the current device; what came of it (load_kernels.cu).
cudaError_t load_kernels();

/// 12040 -> "12.4".
std::string version_text(int version);

}  // namespace xnorbench::cuda
