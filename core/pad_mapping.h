// Pad values for libraries that pad float tensors with 0: the packed input holds sign - pad, so
// that its 0 stands for the pad value, and pad * sum(w) per output channel adds back what was
// subtracted. Exact, and without a padded copy.
#pragma once

#include <span>
#include <vector>

#include "core/packed_input.h"
#include "core/problem.h"

namespace xnorbench {

/// The packed input of signs less the pad value.
PackedFormat zero_padded_format(const ConvProblem& problem);

/// Largest magnitude in that packed input.
std::int64_t largest_packed_value(const ConvProblem& problem);

/// pad * sum(w) per output channel; `signs`: +1 or -1, O, I/groups, KH, KW in any order of the last
/// three.
std::vector<float> pad_correction(const ConvProblem& problem, std::span<const float> signs);

}  // namespace xnorbench
