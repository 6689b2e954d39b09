#include "core/cuda_proxy.h"

#include "core/cuda_module.h"

namespace xnorbench {

Device& CudaProxy::device() const { return cuda_module().device(); }

Support CudaProxy::available(const Machine&) const { return cuda_support(); }

Support CudaProxy::supports(const ConvProblem& problem, const Machine& machine) const {
  if (Support here = available(machine); !here) return here;
  return cuda_module().implementation(info_.name).supports(problem, cuda_module().device());
}

PackedFormat CudaProxy::source_format(const ConvProblem& problem) const {
  return cuda_module().implementation(info_.name).source_format(problem);
}

std::unique_ptr<Plan> CudaProxy::prepare(const ConvProblem& problem, const Weights& weights,
                                         Context& context) const {
  return cuda_module().implementation(info_.name).prepare(problem, weights, context);
}

}  // namespace xnorbench
