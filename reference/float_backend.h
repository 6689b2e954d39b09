// Which library computes a network's real-valued convolutions (core/real_convolution.h), and
// whether it is here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/real_convolution.h"

namespace xnorbench {

std::string to_string(FloatBackend kind);
/// "cpu" or "cuda", as in ImplementationInfo.
std::string device_of(FloatBackend kind);
/// The default of a device. On the CPU: the first of onednn, openblas and direct that this build
/// has.
FloatBackend default_float_backend(const std::string& device);
/// Throws InputError for an unknown name.
FloatBackend parse_float_backend(const std::string& name);
/// Whether this build and machine have it.
Support available(FloatBackend kind);
/// Whether it computes a convolution of this shape. Includes available().
Support supports(FloatBackend kind, const ConvShape& shape);

/// The backend that is the same library as a float implementation; none for other implementations.
std::optional<FloatBackend> float_backend_of(const Implementation& implementation);

/// The float backend for memory reports: the one that the implementation names if it was built;
/// else its own library; else the default of its device.
FloatBackend float_backend_beside(const Implementation& implementation);

/// `weights`: O, I/groups, KH, KW. `kind` must be available.
std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind, const ConvShape& shape,
                                                       std::span<const float> weights,
                                                       std::span<const float> bias,
                                                       Context& context);

}  // namespace xnorbench
