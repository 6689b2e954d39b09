#include "bench/claims/claim_ratio.h"

#include <fmt/format.h>

namespace xnorbench {

ClaimRow published(const char* id, const char* source, double value, const char* unit,
                   const char* conditions) {
  return {
      .id = id, .source = source, .reported_value = value, .unit = unit, .conditions = conditions};
}

std::string timing_command(const std::string& what, const std::string& slow,
                           const std::string& fast) {
  if (const std::size_t batch = what.find("/n"); batch != std::string::npos)
    return fmt::format(
        "xnorbench network --networks={} --batch={} --input=random --implementations={},{}",
        what.substr(0, batch), what.substr(batch + 2), slow, fast);
  return fmt::format("xnorbench {} --shapes={} --implementations={},{}",
                     what.starts_with("m") ? "gemm" : "conv", what, slow, fast);
}

void add_ratio(ClaimBuilder& claim, const ClaimTimes& times, const std::string& what,
               const std::string& definition, const std::string& fast, const Baseline& slow,
               const std::string& note) {
  claim.repeated_by(timing_command(what, slow.implementation, fast));
  const std::string baseline = fmt::format("{} ({})", slow.what, slow.implementation);
  if (const std::optional<double> ratio = times.ratio(what, slow.implementation, fast))
    return claim.ratio(definition, baseline, *ratio, note);
  const std::string missing = times.ns(what, fast) ? slow.implementation : fast;
  claim.unmeasured(definition, baseline, times.reason(what, missing));
}

}  // namespace xnorbench
