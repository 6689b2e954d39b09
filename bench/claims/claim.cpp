#include "bench/claims/claim.h"

#include <cmath>

namespace xnorbench {

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

const CsvTable<ClaimRow>& claims_csv() {
  using Row = ClaimRow;
  constexpr int digits = 6;
  static const CsvTable<Row> table{
      "claims.csv",
      {
          csv_column<&Row::id>("id"),
          csv_column<&Row::source>("source"),
          {"reported_value", CsvKind::number,
           [](const Row& r) { return csv_significant(r.reported_value, digits); }},
          csv_column<&Row::unit>("unit"),
          csv_column<&Row::conditions>("conditions"),
          csv_column<&Row::definition>("definition"),
          csv_column<&Row::baseline>("baseline"),
          {"measured_value", CsvKind::number,
           [](const Row& r) { return csv_significant(r.measured_value, digits); }},
          {"verdict", CsvKind::text, [](const Row& r) { return to_string(r.verdict); }},
          csv_column<&Row::command>("command"),
          csv_column<&Row::note>("note"),
      }};
  return table;
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
