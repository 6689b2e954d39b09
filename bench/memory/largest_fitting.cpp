#include "bench/memory/largest_fitting.h"

#include <algorithm>

namespace xnorbench {

std::int64_t largest_fitting(std::int64_t most, double limit,
                             const std::function<double(std::int64_t)>& cost) {
  struct Point {
    std::int64_t n;
    double cost;
  };
  auto look = [&](std::int64_t n) { return Point{n, cost(n)}; };
  Point fits = look(1);
  if (fits.cost > limit) return 0;
  if (most == 1) return 1;
  Point too_much = look(2);
  while (too_much.cost <= limit) {
    if (too_much.n == most) return most;
    const double each = (too_much.cost - fits.cost) / static_cast<double>(too_much.n - fits.n);
    // A little beyond the point where the line meets the limit, to have an end on each side.
    const double meeting =
        std::min(1.01 * limit / std::max(each, 1.0) + 1, static_cast<double>(most));
    fits = too_much;
    too_much =
        look(std::clamp(static_cast<std::int64_t>(meeting), std::min(2 * fits.n, most), most));
  }
  // The point where the line between the ends meets the limit; every other time the middle, which
  // halves the interval whatever the curve is.
  for (bool halve = false; too_much.n - fits.n > 1; halve = !halve) {
    const double share = halve ? 0.5 : (limit - fits.cost) / (too_much.cost - fits.cost);
    const auto step = static_cast<std::int64_t>(share * static_cast<double>(too_much.n - fits.n));
    const Point guess = look(std::clamp(fits.n + step, fits.n + 1, too_much.n - 1));
    (guess.cost <= limit ? fits : too_much) = guess;
  }
  return fits.n;
}

}  // namespace xnorbench
