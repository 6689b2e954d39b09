// Weights and biases of a real-valued convolution, in the order that plain loops and SGEMM read.
#pragma once

#include <cstring>
#include <span>

#include "core/memory.h"
#include "core/weights.h"

namespace xnorbench {

inline Buffer ohwi_weights(const ConvShape& shape, std::span<const float> weights, Ledger& ledger) {
  Buffer buffer = ledger.allocate(Category::weights_real, weights.size_bytes(), "real weights");
  to_ohwi(shape, weights, buffer.as<float>());
  return buffer;
}

inline Buffer copy_bias(std::span<const float> bias, Ledger& ledger) {
  Buffer buffer = ledger.allocate(Category::parameters, bias.size_bytes(), "biases");
  std::memcpy(buffer.data(), bias.data(), bias.size_bytes());
  return buffer;
}

inline void add_bias(const float* bias, std::int64_t channels, float* pixel) {
  for (std::int64_t o = 0; o < channels; ++o) pixel[o] += bias[o];
}

}  // namespace xnorbench
