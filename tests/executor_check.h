// Runs a network on the fused executor in every way there is and compares with the reference
// executor.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/implementation.h"
#include "core/random.h"
#include "networks/compile/executor.h"
#include "networks/reference_executor.h"

namespace xnorbench {

/// Mostly plain values; some are zeros of both signs, some repeat, so that sums tie.
inline std::vector<float> random_input(const Graph& graph, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(graph.input_shape().count()));
  for (float& value : values) {
    value = random.uniform(-1.0F, 1.0F);
    if (random.one_in(8)) value = 0.25F * static_cast<float>(random.below(9) - 4);
    if (random.one_in(16)) value = random.one_in(2) ? 0.0F : -0.0F;
  }
  return values;
}

/// "equal", or where the first difference is.
inline std::string difference(const std::vector<float>& expected, const float* actual) {
  if (std::memcmp(expected.data(), actual, expected.size() * sizeof(float)) == 0) return "equal";
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], actual + i, sizeof(float)) == 0) continue;
    if (count++ == 0)
      first = std::to_string(expected[i]) + " became " + std::to_string(actual[i]) + " at " +
              std::to_string(i);
  }
  return std::to_string(count) + " of " + std::to_string(expected.size()) +
         " differ, the first: " + first;
}

enum class Runs {
  accounted,           ///< run_accounted() alone, for slow implementations
  once_and_accounted,  ///< and run()
  all,                 ///< also twice, profiled, and after a run on other data
};

/// Real layers on a GPU give other bits; device_network_test.cpp tests them.
inline std::vector<const Implementation*> host_implementations() {
  return find_implementations("cpu_*");
}

class ExecutorCheck {
 public:
  ExecutorCheck(const Graph& graph, const NetworkParameters& parameters,
                const Implementation& implementation, FloatBackend float_backend, int threads,
                const Policy& policy = arena_policy())
      : context_{ledger_, threads},
        executor_(graph, parameters, implementation, float_backend, context_, policy),
        input_count_(static_cast<std::size_t>(graph.input_shape().count())) {}

  /// Expects `expected` bit for bit.
  void expect_output(const std::vector<float>& input, const std::vector<float>& expected,
                     Runs runs) {
    auto pass = [&](const char* what, auto&& run) {
      std::memset(executor_.buffers()[executor_.program().output], 0xFF,
                  expected.size() * sizeof(float));
      run();
      EXPECT_EQ(difference(expected, executor_.output().data()), "equal") << what;
      EXPECT_EQ(difference(input, executor_.input().data()), "equal")
          << what << " changed the input";
    };
    write(input);
    if (runs != Runs::accounted) pass("run()", [&] { executor_.run(); });
    if (runs == Runs::all) {
      pass("run() again", [&] { executor_.run(); });
      // What an earlier run on other data leaves in the arena must not be read.
      write(std::vector<float>(input_count_, -1000.0F));
      executor_.run();
      write(input);
      pass("run() after other data", [&] { executor_.run(); });
    }
    pass("run_accounted()", [&] { EXPECT_NO_THROW(executor_.run_accounted()); });
    expect_planned_equals_peak();
    if (runs == Runs::all) {
      pass("run() after run_accounted()", [&] { executor_.run(); });
      std::size_t steps = 0;
      pass("run_profiled()", [&] { steps = executor_.run_profiled().size(); });
      EXPECT_EQ(steps, executor_.program().steps.size());
      pass("run() after run_profiled()", [&] { executor_.run(); });
    }
  }

  const Executor& executor() const { return executor_; }

 private:
  void write(const std::vector<float>& input) { executor_.set_input(input); }

  void expect_planned_equals_peak() const {
    EXPECT_GE(executor_.plan().arena.bytes, executor_.plan().arena.lower_bound);
    EXPECT_EQ(ledger_.peak().total(), executor_.plan().total.total());
    for (std::size_t i = 0; i < category_count; ++i) {
      const auto category = static_cast<Category>(i);
      EXPECT_EQ(ledger_.peak()[category], executor_.plan().total[category]) << to_string(category);
    }
    const std::size_t gaps = executor_.plan().arena.bytes;
    EXPECT_EQ(ledger_.current()[Category::arena_gaps], gaps)
        << "some buffer of the arena was not given back";
  }

  Ledger ledger_;
  Context context_;
  Executor executor_;
  std::size_t input_count_;
};

}  // namespace xnorbench
