// Tensors between layers: channels-last arrays of floats.
#pragma once

#include <cstdint>

namespace xnorbench {

/// Sizes of a tensor, N, H, W, C.
struct TensorShape {
  std::int64_t batch = 1, height = 1, width = 1, channels = 1;

  bool operator==(const TensorShape&) const = default;
  std::int64_t pixels() const { return batch * height * width; }
  std::int64_t count() const { return pixels() * channels; }
};

/// A float tensor: pixel p's channels start at data + p * stride (in floats). A stride larger than
/// the channel count is a slice of a wider tensor, as in a concatenation written in place.
template <typename Float>
struct Tensor {
  Float* data = nullptr;
  std::int64_t stride = 0;
};
using FloatTensor = Tensor<float>;
using ConstFloatTensor = Tensor<const float>;

/// Square pool. Padding may differ at the two ends, as darknet's stride-1 pool has it.
struct PoolWindow {
  std::int64_t size = 2, stride = 2, pad_before = 0, pad_after = 0;
};

}  // namespace xnorbench
