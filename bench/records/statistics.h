// Summary of the samples of one repetition.
#pragma once

#include <vector>

namespace xnorbench {

struct Summary {
  double median = 0, minimum = 0, p25 = 0, p75 = 0, mean = 0, stddev = 0;
};

/// Quantiles interpolate linearly between samples; stddev divides by n - 1. `samples` is not empty.
Summary summarise(std::vector<double> samples);

double median(std::vector<double> samples);

}  // namespace xnorbench
