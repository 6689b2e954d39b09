// The work of a network that is not convolution, on one device. All tensors are channels-last and
// may be slices of wider ones; `out` may be `a` or `addend`. Every pass is a law of docs/method.md
// in one loop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/batch_norm.h"
#include "core/packed_input.h"
#include "core/tensor.h"

namespace xnorbench {

/// Pointers are the device's. On a GPU the calls return before the work is done.
class ElementwiseOperations {
 public:
  virtual ~ElementwiseOperations() = default;

  /// Whether the passes below, and the plans of this device (Output::value_signs), also write the
  /// signs of the tensors that they make. Where not, `signs` must be empty; where so, `out` may be
  /// without data when only signs are wanted.
  virtual bool write_signs_too() const = 0;

  /// sign(affine(tensor)) as a packed input.
  virtual void sign(const PackedFormat& format, ZeroRule rule, std::int64_t pixels,
                    ConstFloatTensor tensor, AffineView affine, void* packed_input) const = 0;
  /// out = affine(a), then x > 0 ? x : slope * x; one of them may be absent (no slope: no relu).
  virtual void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                           AffineView affine, std::optional<float> relu_slope, FloatTensor out,
                           std::span<const SignTarget> signs = {}) const = 0;
  /// out = a + addend, or a copy when addend.data is null.
  virtual void add(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                   ConstFloatTensor addend, FloatTensor out,
                   std::span<const SignTarget> signs = {}) const = 0;
  /// `in` and `result` are the shapes of `a` and `out`. Sum row by row from the first element of
  /// each window, times 1 / size^2.
  virtual void average_pool(const TensorShape& in, const TensorShape& result,
                            const PoolWindow& window, ConstFloatTensor a, FloatTensor out,
                            std::span<const SignTarget> signs = {}) const = 0;
  /// The largest value of each window, compared row by row from its first element inside the
  /// tensor.
  virtual void max_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                        ConstFloatTensor a, FloatTensor out,
                        std::span<const SignTarget> signs = {}) const = 0;
  /// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the
  /// shape of `a`.
  virtual void upsample_add(const TensorShape& in, ConstFloatTensor a, ConstFloatTensor addend,
                            FloatTensor out, std::span<const SignTarget> signs = {}) const = 0;
};

}  // namespace xnorbench
