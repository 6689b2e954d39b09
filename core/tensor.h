// Tensors between layers: channels-last arrays of floats (N, H, W, C).
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

/// A view of a float tensor. The channels of pixel p start at data + p * stride, in floats. If the
/// stride is larger than the number of channels, the view is a slice of a wider tensor, as a part
/// of a concatenation that is written in place.
template <typename Float>
struct Tensor {
  Float* data = nullptr;
  std::int64_t stride = 0;
};
using FloatTensor = Tensor<float>;
using ConstFloatTensor = Tensor<const float>;

/// Square window of a pool, in pixels. Padding may differ at the two ends, as in darknet's pool of
/// stride 1.
struct PoolWindow {
  std::int64_t size = 2, stride = 2, pad_before = 0, pad_after = 0;
};

}  // namespace xnorbench
