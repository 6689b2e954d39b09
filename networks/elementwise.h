// The passes of a network that are not convolutions, on channels-last float maps. Each is the law of
// docs/method.md in one loop; a map may be a slice of a wider one. `out` may be `a`.
#pragma once

#include "core/batch_norm.h"
#include "core/operand.h"
#include "networks/graph.h"

namespace xnorbench {

/// relu(x) = x > 0 ? x : 0, so NaN gives 0.
inline float relu(float x) { return x > 0.0F ? x : 0.0F; }

/// out = affine(a), then relu; either may be absent.
void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      bool with_relu, FloatMap out, int threads);

/// out = a + addend, or a copy when addend.data is null.
void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              int threads);

/// 2x2, stride 2. `in` is the shape of `a`.
void average_pool_pass(const MapShape& in, ConstFloatMap a, FloatMap out, int threads);

/// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the shape of `a`.
void upsample_add_pass(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out, int threads);

}  // namespace xnorbench
