// A network's real-valued convolutions on a GPU.
#pragma once

#include "core/real_convolution.h"

namespace xnorbench::cuda {

/// As core/cuda_module.h says, for cublas and cudnn.
Support supports_real(FloatBackend kind, const ConvShape& shape, Device& device);
std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind, const ConvShape& shape,
                                                       std::span<const float> weights,
                                                       std::span<const float> bias,
                                                       Context& context);

}  // namespace xnorbench::cuda
