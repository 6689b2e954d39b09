// The passes of core/passes.h on the CPU.
#pragma once

#include <optional>

#include "core/batch_norm.h"
#include "core/isa.h"
#include "core/map.h"

namespace xnorbench {

/// out = affine(a), then relu; one of them may be absent (no slope: no relu).
void affine_relu_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                      std::optional<float> relu_slope, FloatMap out, const CpuShare& cpu);

/// out = a + addend, or a copy when addend.data is null.
void add_pass(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
              const CpuShare& cpu);

/// `in` and `result` are the shapes of `a` and `out`; sums and order as NodeKind::average_pool says.
void average_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                       FloatMap out, const CpuShare& cpu);

/// The largest value of each window, compared row by row from its first element inside the map.
void max_pool_pass(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                   const CpuShare& cpu);

/// out = nearest upsampling of `a` by 2, plus addend unless addend.data is null. `in` is the shape of `a`.
void upsample_add_pass(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out, const CpuShare& cpu);

}  // namespace xnorbench
