// What cuda_f32_direct and cuda_f32_cublas have in common: floats of +1 and -1, padded with the pad
// value itself.
#pragma once

#include "core/cuda_module.h"
#include "core/float_limits.h"
#include "kernels/convert.h"

namespace xnorbench::cuda {

class CudaFloatImplementation : public CudaImplementation {
 public:
  Support supports(const ConvProblem& problem, Device&) const override {
    if (Support countable = counts_fit(problem.shape); !countable) return countable;
    return exact_in_float(problem.shape.k());
  }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return {PackedForm::f32, problem.shape.in_channels};
  }
};

}  // namespace xnorbench::cuda
