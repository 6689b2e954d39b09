#include "bench/claims/claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "bench/records/record.h"

namespace xnorbench {
namespace {

std::string number(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::partly: return "partly";
    case Verdict::not_reproduced: return "not_reproduced";
    case Verdict::needs_device: return "needs_device";
    case Verdict::theory: return "theory";
  }
  return {};
}

std::string claims_csv(const std::vector<ClaimRow>& rows) {
  std::string text =
      "id,source,reported_value,unit,conditions,definition,baseline,measured_value,verdict,command,"
      "note\n";
  for (const ClaimRow& row : rows) {
    const std::string fields[] = {
        csv_field(row.id),          csv_field(row.source),
        number(row.reported_value), csv_field(row.unit),
        csv_field(row.conditions),  csv_field(row.definition),
        csv_field(row.baseline),    row.measured_value ? number(*row.measured_value) : "",
        to_string(row.verdict),     csv_field(row.command),
        csv_field(row.note)};
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

Verdict judge_equal(double measured, double reported) {
  const double difference = std::abs(measured - reported);
  if (difference <= 0.05 * reported) return Verdict::reproduced;
  return difference <= 0.25 * reported ? Verdict::partly : Verdict::not_reproduced;
}

Verdict judge_at_least(double measured, double reported) {
  if (measured >= 0.95 * reported) return Verdict::reproduced;
  return measured >= 0.5 * reported ? Verdict::partly : Verdict::not_reproduced;
}

Verdict judge_at_most(double measured, double reported) {
  return judge_at_least(reported, measured);
}

}  // namespace xnorbench
