// The search for what fits: right for every curve, and few looks.
#include "bench/memory/largest_fitting.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xnorbench {
namespace {

constexpr std::int64_t most = 65536;

struct Curve {
  const char* what;
  double (*cost)(std::int64_t n);
};

const Curve curves[] = {
    {"a line", [](std::int64_t n) { return 1000.0 + 37.0 * static_cast<double>(n); }},
    {"flat, then steep",
     [](std::int64_t n) {
       return std::max(5000.0 + static_cast<double>(n), 90.0 * static_cast<double>(n));
     }},
    {"steep, then flat",
     [](std::int64_t n) {
       return std::min(900.0 * static_cast<double>(n), 1e5 + static_cast<double>(n));
     }},
    {"steps", [](std::int64_t n) { return 256.0 * static_cast<double>((n + 9) / 10); }},
    {"a square", [](std::int64_t n) { return static_cast<double>(n) * static_cast<double>(n); }},
    {"the same for all", [](std::int64_t) { return 10.0; }},
};

TEST(LargestFitting, FitsAndOneMoreDoesNotInFewLooks) {
  for (const Curve& curve : curves)
    for (double limit : {0.0, 9.0, 10.0, 1037.0, 5001.0, 20000.0, 123456.0, 1e6, 3e6, 1e9, 1e12}) {
      SCOPED_TRACE(testing::Message() << curve.what << ", limit " << limit);
      int looks = 0;
      const std::int64_t n = largest_fitting(most, limit, [&](std::int64_t at) {
        ++looks;
        return curve.cost(at);
      });
      if (n == 0) {
        EXPECT_GT(curve.cost(1), limit);
      } else {
        EXPECT_LE(curve.cost(n), limit);
      }
      if (n < most) {
        EXPECT_GT(curve.cost(n + 1), limit);
      }
      EXPECT_LE(looks, 2 * 16 + 4);
    }
}

TEST(LargestFitting, ALineTakesAHandfulOfLooks) {
  int looks = 0;
  largest_fitting(most, 1e6, [&](std::int64_t n) {
    ++looks;
    return 1000.0 + 37.0 * static_cast<double>(n);
  });
  EXPECT_LE(looks, 6);
}

TEST(LargestFitting, OfOne) {
  EXPECT_EQ(largest_fitting(1, 10, [](std::int64_t) { return 10.0; }), 1);
  EXPECT_EQ(largest_fitting(1, 9, [](std::int64_t) { return 10.0; }), 0);
}

}  // namespace
}  // namespace xnorbench
