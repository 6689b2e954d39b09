// A network's real-valued layers on a GPU.
#pragma once

#include "reference/real_convolution.h"

namespace xnorbench::cuda {

/// reference/real_convolution.h for cublas and cudnn.
Support supports_real(RealLayers kind, const ConvShape& shape, Device& device);
std::unique_ptr<RealConvolution> make_real_convolution(RealLayers kind, const ConvShape& shape,
                                                       std::span<const float> weights, std::span<const float> bias,
                                                       Context& context);

}  // namespace xnorbench::cuda
