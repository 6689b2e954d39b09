// A network's real-valued convolutions. One way per run, since float sums depend on their order:
// results are identical only for equal real layers, threads and batch.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/implementation.h"

namespace xnorbench {

enum class RealLayers { onednn, openblas, torch, direct, cublas, cudnn };
std::string to_string(RealLayers kind);
/// "cpu" or "cuda", as in ImplementationInfo.
std::string device_of(RealLayers kind);
/// The usual one of a device; in this build, for the CPU.
RealLayers default_real_layers(const std::string& device);
/// Throws InputError for an unknown name.
RealLayers parse_real_layers(const std::string& name);
/// Whether this build and machine have it.
Support available(RealLayers kind);
/// Whether it computes a convolution of this shape with a real kernel.
Support supports(RealLayers kind, const ConvShape& shape);

/// The way that matches a float implementation, for networks without binary layers; none for binary
/// implementations.
std::optional<RealLayers> real_layers_of(const Implementation& implementation);

/// The way that goes with an implementation where its memory is looked at: what it names, in a build that has it;
/// its own library; otherwise the default of its device.
RealLayers real_layers_beside(const Implementation& implementation);

class RealConvolution {
 public:
  virtual ~RealConvolution() = default;
  virtual KernelName kernel() const = 0;
  virtual MemoryUse workspace() const = 0;
  /// Zero padding; the bias is added. Maps are N, H, W, C, dense. Pointers are the device's.
  virtual void run(const float* source, float* destination, std::byte* workspace) = 0;
};

/// `weights`: O, I/groups, KH, KW. `kind` must be available.
std::unique_ptr<RealConvolution> make_real_convolution(RealLayers kind, const ConvShape& shape,
                                                       std::span<const float> weights, std::span<const float> bias,
                                                       Context& context);

}  // namespace xnorbench
