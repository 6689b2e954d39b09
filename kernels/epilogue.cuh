// The epilogue of one sum in a register.
#pragma once

#include "kernels/device_math.h"

namespace xnorbench::cuda {

__device__ inline bool sum_is_negative(const EpilogueArguments& e, int sum, int channel) {
  return (sum ^ e.flip[channel]) < e.limit[channel];
}

/// Writes the value of a sum. The addend may be the tensor that is written.
__device__ inline void write_value(const EpilogueArguments& e, int sum, int pixel, int channel) {
  float value = layer_value(e.alpha[channel], sum, e.bias ? e.bias[channel] : 0.0F);
  if (e.addend.data) value = __fadd_rn(value, e.addend.data[pixel * e.addend.stride + channel]);
  e.values.data[pixel * e.values.stride + channel] = value;
}

}  // namespace xnorbench::cuda
