// Makes the rows of one published figure. What the rows share is given once; each row adds a
// definition and its number.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/claims/claim.h"

namespace xnorbench {

class ClaimBuilder {
 public:
  /// `published`: id, source, reported value, unit, conditions and command.
  ClaimBuilder(std::vector<ClaimRow>& rows, ClaimRow published)
      : rows_(rows), published_(std::move(published)) {}

  /// "N times": judged by judge_at_least.
  void ratio(const std::string& definition, const std::string& baseline, double measured,
             const std::string& note);
  /// The command of the rows that follow.
  void repeated_by(const std::string& command) { published_.command = command; }
  /// A figure to meet: judged by judge_equal.
  void equal(const std::string& definition, const std::string& baseline, double measured,
             const std::string& note);
  /// A time or a size not to exceed: judged by judge_at_most.
  void at_most(const std::string& definition, const std::string& baseline, double measured,
               const std::string& note);
  /// A planned number for a figure that only a device could confirm.
  void planned(const std::string& definition, const std::string& baseline, double value,
               const std::string& note);
  /// Not measured: a device is missing, or what `note` says.
  void unmeasured(const std::string& definition, const std::string& baseline,
                  const std::string& note);
  /// The result of a formula or of a count of operations.
  void theory(const std::string& definition, const std::string& baseline, double value,
              const std::string& note);
  /// The published unit is MB or GB, which may mean 10^6 (10^9) or 2^20 (2^30) bytes. The row uses
  /// the unit that comes nearer to the figure; its note gives the other one.
  void size(const std::string& definition, std::int64_t bytes, const std::string& note);

 private:
  void add(const std::string& definition, const std::string& baseline, std::optional<double> value,
           Verdict verdict, const std::string& note);

  std::vector<ClaimRow>& rows_;
  ClaimRow published_;
};

}  // namespace xnorbench
