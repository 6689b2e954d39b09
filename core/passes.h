// The work of a network that is not convolution, on one device. All maps are channels-last and may be slices of
// wider ones; `out` may be `a` or `addend`. Every pass is a law of docs/method.md in one loop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/batch_norm.h"
#include "core/map.h"
#include "core/operand.h"

namespace xnorbench {

/// Pointers are the device's. On a GPU the calls return before the work is done.
class Passes {
 public:
  virtual ~Passes() = default;

  /// Whether the passes below, and the plans of this device (Output::value_signs), also write the signs of the maps that
  /// they make. Where not, `signs` must be empty; where so, `out` may be without data when only signs are wanted.
  virtual bool write_signs_too() const = 0;

  /// sign(affine(map)) as an operand.
  virtual void sign(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map,
                    AffineView affine, void* operand) const = 0;
  /// out = affine(a), then x > 0 ? x : slope * x; one of them may be absent (no slope: no relu).
  virtual void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                           std::optional<float> relu_slope, FloatMap out,
                           std::span<const SignTarget> signs = {}) const = 0;
  /// out = a + addend, or a copy when addend.data is null.
  virtual void add(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend,
                   FloatMap out, std::span<const SignTarget> signs = {}) const = 0;
  /// `in` and `result` are the shapes of `a` and `out`. Sum row by row from the first element of each window,
  /// times 1 / size^2.
  virtual void average_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                            FloatMap out, std::span<const SignTarget> signs = {}) const = 0;
  /// The largest value of each window, compared row by row from its first element inside the map.
  virtual void max_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                        FloatMap out, std::span<const SignTarget> signs = {}) const = 0;
  /// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the shape of `a`.
  virtual void upsample_add(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
                            std::span<const SignTarget> signs = {}) const = 0;
};

}  // namespace xnorbench
