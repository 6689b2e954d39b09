#include "bench/records/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xnorbench {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<double>(samples.size());
  Summary s;
  s.minimum = samples.front();
  s.p25 = quantile(samples, 0.25);
  s.median = quantile(samples, 0.5);
  s.p75 = quantile(samples, 0.75);
  s.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  double squares = 0.0;
  for (double sample : samples) squares += (sample - s.mean) * (sample - s.mean);
  s.stddev = samples.size() > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
  return s;
}

double median(std::vector<double> samples) { return summarise(std::move(samples)).median; }

}  // namespace xnorbench
