#include "bench/claims/claim_builder.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace xnorbench {

void ClaimBuilder::add(const std::string& definition, const std::string& baseline,
                       std::optional<double> value, Verdict verdict, const std::string& note) {
  ClaimRow row = published_;
  row.definition = definition;
  row.baseline = baseline;
  row.measured_value = value;
  row.verdict = verdict;
  row.note = note;
  rows_.push_back(row);
}

void ClaimBuilder::ratio(const std::string& definition, const std::string& baseline,
                         double measured, const std::string& note) {
  add(definition, baseline, measured, judge_at_least(measured, published_.reported_value), note);
}

void ClaimBuilder::equal(const std::string& definition, const std::string& baseline,
                         double measured, const std::string& note) {
  add(definition, baseline, measured, judge_equal(measured, published_.reported_value), note);
}

void ClaimBuilder::at_most(const std::string& definition, const std::string& baseline,
                           double measured, const std::string& note) {
  add(definition, baseline, measured, judge_at_most(measured, published_.reported_value), note);
}

void ClaimBuilder::planned(const std::string& definition, const std::string& baseline, double value,
                           const std::string& note) {
  add(definition, baseline, value, Verdict::needs_device, note);
}

void ClaimBuilder::unmeasured(const std::string& definition, const std::string& baseline,
                              const std::string& note) {
  add(definition, baseline, std::nullopt, Verdict::needs_device, note);
}

void ClaimBuilder::theory(const std::string& definition, const std::string& baseline, double value,
                          const std::string& note) {
  add(definition, baseline, value, Verdict::theory, note);
}

void ClaimBuilder::size(const std::string& definition, std::int64_t bytes,
                        const std::string& note) {
  struct Size {
    std::string unit;
    double value;
  };
  const double count = static_cast<double>(bytes);
  const bool giga = published_.unit == "GB";
  Size chosen{giga ? "GB" : "MB", count / (giga ? 1e9 : 1e6)};
  Size other{giga ? "GiB" : "MiB", count / (giga ? 0x1p30 : 0x1p20)};
  const double reported = published_.reported_value;
  if (std::abs(other.value - reported) < std::abs(chosen.value - reported))
    std::swap(chosen, other);
  add(definition, {}, chosen.value, judge_equal(chosen.value, reported),
      fmt::format("{} ({:.4g} {})", note, other.value, other.unit));
  rows_.back().unit = chosen.unit;
}

}  // namespace xnorbench
