// The passes of core/passes.h on the CPU.
#pragma once

#include <optional>

#include "core/batch_norm.h"
#include "core/map.h"

namespace xnorbench {

/// x > 0 ? x : slope * x, and 0 (never -0 or NaN) for all else when the slope is 0.
inline float relu(float x, float slope) { return x > 0.0F ? x : slope == 0.0F ? 0.0F : slope * x; }

/// out = affine(a), then relu; one of them may be absent (no slope: no relu).
void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      std::optional<float> relu_slope, FloatMap out, int threads);

/// out = a + addend, or a copy when addend.data is null.
void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              int threads);

/// `in` and `result` are the shapes of `a` and `out`; sums and order as NodeKind::average_pool says.
void average_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                       FloatMap out, int threads);

/// The largest value of each window, compared row by row from its first element inside the map.
void max_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                   int threads);

/// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the shape of `a`.
void upsample_add_pass(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out, int threads);

}  // namespace xnorbench
