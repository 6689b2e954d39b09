// The sign rule, in one place. Every packing routine, oracle and threshold search uses it.
#pragma once

#include "core/problem.h"

namespace xnorbench {

/// True when x binarises to -1 (whose bit is 1). zero=plus: x >= 0 -> +1; zero=minus: x > 0 -> +1.
/// -0.0 compares equal to 0; every comparison with NaN is false, so NaN -> -1 under both rules.
/// Always inlined: core/isa.h says why.
[[gnu::always_inline]] inline bool is_negative(float x, ZeroRule rule) {
  return rule == ZeroRule::plus ? !(x >= 0.0F) : !(x > 0.0F);
}

/// The sign as a number, +1 or -1.
inline int sign_of(float x, ZeroRule rule) { return is_negative(x, rule) ? -1 : 1; }

}  // namespace xnorbench
