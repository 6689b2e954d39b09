// How the program sees an implementation of the CUDA module.
#pragma once

#include "core/implementation.h"

namespace xnorbench {

/// `info` is what its line in core/implementations.def says. All else comes from the module, which
/// the first question loads.
class CudaProxy final : public Implementation {
 public:
  explicit CudaProxy(ImplementationInfo info) : info_(std::move(info)) {}

  const ImplementationInfo& info() const override { return info_; }
  Device& device() const override;
  Support available(const Machine& machine) const override;
  Support supports(const ConvProblem& problem, const Machine& machine) const override;
  PackedFormat source_format(const ConvProblem& problem) const override;
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override;

 private:
  ImplementationInfo info_;
};

}  // namespace xnorbench
