#include "reference/float_backend.h"

#include <stdexcept>

#include "core/cuda_module.h"
#include "core/error.h"
#include "reference/real_convolutions.h"
#if XNORBENCH_HAVE_ONEDNN
#include "reference/onednn_convolution.h"
#endif

namespace xnorbench {
namespace {

constexpr FloatBackend all_kinds[] = {FloatBackend::onednn, FloatBackend::openblas,
                                      FloatBackend::torch,  FloatBackend::direct,
                                      FloatBackend::cublas, FloatBackend::cudnn};

}  // namespace

std::string to_string(FloatBackend kind) {
  switch (kind) {
    case FloatBackend::onednn: return "onednn";
    case FloatBackend::openblas: return "openblas";
    case FloatBackend::torch: return "torch";
    case FloatBackend::direct: return "direct";
    case FloatBackend::cublas: return "cublas";
    case FloatBackend::cudnn: return "cudnn";
  }
  return {};
}

std::string device_of(FloatBackend kind) {
  return kind == FloatBackend::cublas || kind == FloatBackend::cudnn ? "cuda" : "cpu";
}

FloatBackend default_float_backend(const std::string& device) {
  if (device == "cuda") return FloatBackend::cublas;
  for (FloatBackend kind : {FloatBackend::onednn, FloatBackend::openblas})
    if (available(kind)) return kind;
  return FloatBackend::direct;
}

FloatBackend parse_float_backend(const std::string& name) {
  for (FloatBackend kind : all_kinds)
    if (to_string(kind) == name) return kind;
  throw_unknown("float backend", name, "onednn, openblas, torch, direct, cublas, cudnn");
}

Support available(FloatBackend kind) {
  if (kind == FloatBackend::onednn && !XNORBENCH_HAVE_ONEDNN)
    return Support::unavailable(
        "float backend onednn: built without it (Debian package libdnnl-dev)");
  if ((kind == FloatBackend::openblas || kind == FloatBackend::torch) && !XNORBENCH_HAVE_OPENBLAS)
    return Support::unavailable("float backend " + to_string(kind) +
                                ": built without it (Debian package libopenblas-dev)");
  if (device_of(kind) == "cuda") return cuda_support();
  return {};
}

Support supports(FloatBackend kind, const ConvShape& shape) {
  if (Support here = available(kind); !here) return here;
#if XNORBENCH_HAVE_ONEDNN
  if (kind == FloatBackend::onednn) return onednn_support({.with_bias = true}, shape);
#endif
  if (device_of(kind) == "cuda") return cuda_module().supports(kind, shape);
  return {};
}

std::optional<FloatBackend> float_backend_of(const Implementation& implementation) {
  for (FloatBackend kind : all_kinds)
    if (implementation.info().name == device_of(kind) + "_f32_" + to_string(kind)) return kind;
  return std::nullopt;
}

FloatBackend float_backend_beside(const Implementation& implementation) {
  const ImplementationInfo& info = implementation.info();
  if (!info.float_backend.empty())
    if (const FloatBackend named = parse_float_backend(info.float_backend); available(named))
      return named;
  return float_backend_of(implementation).value_or(default_float_backend(info.device));
}

std::unique_ptr<RealConvolution> make_real_convolution(FloatBackend kind, const ConvShape& shape,
                                                       std::span<const float> weights,
                                                       std::span<const float> bias,
                                                       Context& context) {
  switch (kind) {
#if XNORBENCH_HAVE_ONEDNN
    case FloatBackend::onednn: return make_onednn_convolution(shape, weights, bias, context);
#endif
#if XNORBENCH_HAVE_OPENBLAS
    case FloatBackend::openblas: return make_openblas_convolution(shape, weights, bias, context);
    case FloatBackend::torch: return make_torch_convolution(shape, weights, bias, context);
#endif
    case FloatBackend::direct: return make_direct_convolution(shape, weights, bias, context);
    case FloatBackend::cublas:
    case FloatBackend::cudnn:
      return cuda_module().make_real_convolution(kind, shape, weights, bias, context);
    default: throw std::logic_error("float backend " + to_string(kind) + " is not in this build");
  }
}

}  // namespace xnorbench
