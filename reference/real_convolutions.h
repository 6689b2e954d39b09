// Real-valued convolutions on the CPU: one function per float backend, defined beside its library.
// A build without the library has no definition. Shapes: `weights` O, I/groups, KH, KW; `bias` O.
#pragma once

#include <memory>
#include <span>

#include "core/real_convolution.h"

namespace xnorbench {

std::unique_ptr<RealConvolution> make_direct_convolution(const ConvShape& shape,
                                                         std::span<const float> weights,
                                                         std::span<const float> bias,
                                                         Context& context);
std::unique_ptr<RealConvolution> make_openblas_convolution(const ConvShape& shape,
                                                           std::span<const float> weights,
                                                           std::span<const float> bias,
                                                           Context& context);
std::unique_ptr<RealConvolution> make_torch_convolution(const ConvShape& shape,
                                                        std::span<const float> weights,
                                                        std::span<const float> bias,
                                                        Context& context);
std::unique_ptr<RealConvolution> make_onednn_convolution(const ConvShape& shape,
                                                         std::span<const float> weights,
                                                         std::span<const float> bias,
                                                         Context& context);

}  // namespace xnorbench
