// How a library that pads float tensors with 0 can pad with -1 or +1. The packed input holds
// sign - pad, so that a 0 stands for the pad value; pad * sum(w) per output channel adds back what
// was subtracted. This is exact and needs no padded copy.
#pragma once

#include <span>
#include <vector>

#include "core/packed_input.h"
#include "core/problem.h"

namespace xnorbench {

/// A packed input that holds sign - pad as floats.
PackedFormat zero_padded_format(const ConvProblem& problem);

/// Largest magnitude in that packed input.
std::int64_t largest_packed_value(const ConvProblem& problem);

/// pad * sum(w) per output channel. `signs`: weights of +1 and -1, output channel by output
/// channel; the order within a channel does not matter.
std::vector<float> pad_correction(const ConvProblem& problem, std::span<const float> signs);

}  // namespace xnorbench
