// Published figures and what was found here: the rows of claims.csv. If the definition of a figure
// was not published, it has one row for each sensible definition, so that each verdict says what it
// is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/records/csv_table.h"

namespace xnorbench {

enum class Verdict {
  reproduced,
  partly,
  not_reproduced,
  needs_device,  ///< not judged: needs a device or a library that is not here
  theory,        ///< right as arithmetic, which says nothing about a speed-up
};
std::string to_string(Verdict verdict);

/// Every member has an initialiser, so that a row can be written with those that it needs.
struct ClaimRow {
  std::string id{}, source{};  ///< the source ends in " (recalled)" if its page was not at hand
  double reported_value = 0;
  std::string
      unit{};  ///< of both values: "x" for a ratio, "MB" 10^6 bytes, "MiB" 2^20, "GB", "GiB"
  std::string conditions{};  ///< as published
  std::string definition{};  ///< what exactly was measured or counted
  std::string baseline{};    ///< of a ratio: the slower or larger side
  std::optional<double> measured_value{};
  Verdict verdict = Verdict::needs_device;
  std::string command{};  ///< repeats it
  std::string note{};     ///< one sentence: what the number means
};

const CsvTable<ClaimRow>& claims_csv();

/// A figure to meet: reproduced within 5% of it, partly within 25%. Figures are positive.
Verdict judge_equal(double measured, double reported);
/// "N times faster" or "smaller": reproduced from 95% of N on, partly from half of N on.
Verdict judge_at_least(double measured, double reported);
/// A figure not to exceed: reproduced up to N / 95%, partly up to twice N.
Verdict judge_at_most(double measured, double reported);

}  // namespace xnorbench
