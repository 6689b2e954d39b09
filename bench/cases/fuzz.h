// Problems to check: random ones, and those on which public implementations were wrong.
#pragma once

#include <vector>

#include "core/problem.h"
#include "core/random.h"

namespace xnorbench {

/// A valid problem that takes little work and is unusual in some way. One in eight has K > 65536.
ConvProblem random_problem(Random& random);

/// Problems of the kinds on which public implementations were wrong.
std::vector<ConvProblem> trap_problems();

}  // namespace xnorbench
