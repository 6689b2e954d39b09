// Published figures and what became of them here: the rows of claims.csv. A figure whose definition
// was not published has one row for each sensible definition, so that nobody has to guess which one
// a verdict is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace xnorbench {

enum class Verdict {
  reproduced,
  partly,
  not_reproduced,
  needs_device,  ///< not judged: it takes a device, or a library of this build, that is not here
  theory,        ///< the number is right as arithmetic; that says nothing of what a machine gains
};
std::string to_string(Verdict verdict);

/// Every member has an initialiser, so that a row can be written with those that it needs.
struct ClaimRow {
  std::string id{}, source{};  ///< source ends in " (recalled)" where its page was not at hand
  double reported_value = 0;
  std::string
      unit{};  ///< of both values: "x" for a ratio, "MB" 10^6 bytes, "MiB" 2^20, "GB", "GiB"
  std::string conditions{};  ///< as published
  std::string definition{};  ///< what exactly was measured or counted
  std::string baseline{};    ///< what it is set in relation to; empty unless it is a ratio
  std::optional<double> measured_value{};
  Verdict verdict = Verdict::needs_device;
  std::string command{};  ///< repeats it
  std::string note{};     ///< one sentence: what the number means
};

/// With a header line, in the order of the members.
std::string claims_csv(const std::vector<ClaimRow>& rows);

/// A figure to be met: within 5% of it reproduced, within 25% partly. Figures are positive.
Verdict judge_equal(double measured, double reported);
/// "N times faster", "N times smaller": 95% of N or more reproduced, half of it or more partly.
Verdict judge_at_least(double measured, double reported);
/// What is not to be exceeded: up to N / 95% reproduced, up to twice N partly.
Verdict judge_at_most(double measured, double reported);

}  // namespace xnorbench
