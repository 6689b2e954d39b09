// Pad values for libraries that pad float maps with 0: the operand holds sign - pad, so that its 0 stands for the
// pad value, and pad * sum(w) per output channel adds back what was subtracted. Exact, and without a padded copy.
#pragma once

#include <span>
#include <vector>

#include "core/operand.h"
#include "core/problem.h"

namespace xnorbench {

/// The operand of signs less the pad value.
OperandFormat zero_padded_operand(const ConvProblem& problem);

/// Largest magnitude in that operand.
std::int64_t largest_operand(const ConvProblem& problem);

/// pad * sum(w) per output channel; `signs`: +1 or -1, O, I/groups, KH, KW in any order of the last three.
std::vector<float> pad_correction(const ConvProblem& problem, std::span<const float> signs);

}  // namespace xnorbench
