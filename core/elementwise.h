// Elementwise operations: what a network does between its convolutions (sign, batch norm, relu,
// addition, pools, upsampling). docs/method.md defines each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/batch_norm.h"
#include "core/packed_input.h"
#include "core/tensor.h"

namespace xnorbench {

/// The operations of one device. Tensors are channels-last (N, H, W, C) and may be slices of wider
/// ones; `out` may be `a` or `addend`. Pointers are the device's. On a GPU a call returns before
/// its work is done.
///
/// `signs`: signs of `out` that are written at the same time.
class ElementwiseOperations {
 public:
  virtual ~ElementwiseOperations() = default;

  /// True if these operations, and plans by Output::value_signs, can also write signs. If false,
  /// `signs` must be empty. If true, `out.data` may be null when only signs are wanted.
  virtual bool write_signs_too() const = 0;

  /// sign(affine(tensor)) as a packed input.
  virtual void sign(const PackedFormat& format, ZeroRule rule, std::int64_t pixels,
                    ConstFloatTensor tensor, AffineView affine, void* packed_input) const = 0;
  /// out = relu(affine(a)), with relu(x) = x > 0 ? x : slope * x. Without a slope there is no relu.
  virtual void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                           AffineView affine, std::optional<float> relu_slope, FloatTensor out,
                           std::span<const SignTarget> signs = {}) const = 0;
  /// out = a + addend, or a copy when addend.data is null.
  virtual void add(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                   ConstFloatTensor addend, FloatTensor out,
                   std::span<const SignTarget> signs = {}) const = 0;
  /// `in` and `result` are the shapes of `a` and `out`. The elements of a window are added up row
  /// by row from the first one; the sum is multiplied by 1 / size^2.
  virtual void average_pool(const TensorShape& in, const TensorShape& result,
                            const PoolWindow& window, ConstFloatTensor a, FloatTensor out,
                            std::span<const SignTarget> signs = {}) const = 0;
  /// The largest value of each window, compared row by row from the first element that lies inside
  /// the tensor. Padding takes no part.
  virtual void max_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                        ConstFloatTensor a, FloatTensor out,
                        std::span<const SignTarget> signs = {}) const = 0;
  /// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the
  /// shape of `a`.
  virtual void upsample_add(const TensorShape& in, ConstFloatTensor a, ConstFloatTensor addend,
                            FloatTensor out, std::span<const SignTarget> signs = {}) const = 0;
};

}  // namespace xnorbench
