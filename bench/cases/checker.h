// Compares implementations with the oracle, exactly.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/cases/layer.h"

namespace xnorbench {

/// Counts over all problems checked.
struct CheckTally {
  std::int64_t problems = 0;
  std::int64_t compared = 0;  ///< results of implementations
  std::int64_t wrong = 0;
  /// Implementation -> status ("ok", "wrong", "unsupported", "unavailable") -> how many problems.
  std::map<std::string, std::map<std::string, std::int64_t>> statuses;
  /// Feature of a problem ("pad -1", "dilation", "K > 65536", ...) -> how many problems had it.
  std::map<std::string, std::int64_t> coverage;
  /// One text per wrong result: the difference, a command that repeats it, and who agrees.
  std::vector<std::string> faults;
};

/// The kind of data of a seed. Three seeds in a row have all three kinds.
Pattern pattern_of_seed(std::uint64_t seed);

/// Runs `problem` on every implementation that supports it, with each number of threads and
/// instruction set and data from `seed`.
void check_problem(const ConvProblem& problem, std::uint64_t seed,
                   std::span<const Implementation* const> implementations,
                   const std::vector<CpuShare>& shares, CheckTally& tally);

}  // namespace xnorbench
