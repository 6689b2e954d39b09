// The CUDA half of the program is a shared library, libxnorbench_cuda.so, which is loaded when CUDA
// is first asked for. It lies beside the program, or in its prefix's lib/xnorbench. So a run on the
// CPU has nothing of CUDA in its memory, and the program starts on machines without CUDA. This
// header is all that the two sides know of each other.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/implementation.h"
#include "core/real_convolution.h"

namespace xnorbench {

/// An implementation inside the module: Implementation without what core/implementations.def says
/// of it. Only for an available device.
class CudaImplementation {
 public:
  virtual ~CudaImplementation() = default;
  virtual Support supports(const ConvProblem& problem, Device& device) const = 0;
  virtual PackedFormat source_format(const ConvProblem& problem) const = 0;
  virtual std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                        Context& context) const = 0;
};

class CudaModule {
 public:
  virtual ~CudaModule() = default;
  /// Opens the device. The reason says if there is none, or if it or its driver is too old for this
  /// build.
  virtual Support available() = 0;

  // Only for an available device:
  virtual Device& device() = 0;
  /// `name` as in core/implementations.def.
  virtual const CudaImplementation& implementation(std::string_view name) = 0;
  /// Real-valued convolutions by FloatBackend::cublas or cudnn. Weights: O, I/groups, KH, KW.
  virtual Support supports(FloatBackend kind, const ConvShape& shape) = 0;
  virtual std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind,
                                                                 const ConvShape& shape,
                                                                 std::span<const float> weights,
                                                                 std::span<const float> bias,
                                                                 Context& context) = 0;
  /// Name, compute capability, memory, driver and library versions, for the record.
  virtual nlohmann::ordered_json description() = 0;
};

/// Loads the module at the first call. If that fails, the reason is the loader's message.
Support cuda_support();
/// Only when cuda_support() is ok.
CudaModule& cuda_module();

/// The module's description(), for the record of a run. Null if nothing has asked for CUDA so far,
/// or if there is no device.
nlohmann::ordered_json cuda_description();

}  // namespace xnorbench

/// The module's one exported symbol.
extern "C" xnorbench::CudaModule* xnorbench_cuda_module();
