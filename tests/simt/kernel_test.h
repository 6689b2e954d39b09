// What tests of kernels on the host have in common.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "kernels/language.h"

namespace xnorbench::simt_test {

#if defined(__has_feature)
#define XNORBENCH_HAS_FEATURE(name) __has_feature(name)
#else
#define XNORBENCH_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || XNORBENCH_HAS_FEATURE(address_sanitizer)
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__) || XNORBENCH_HAS_FEATURE(thread_sanitizer)
inline constexpr bool thread_sanitizer = true;
#else
inline constexpr bool thread_sanitizer = false;
#endif

/// Under a sanitizer that reports the fault itself, which ends the program or makes it fail.
#define SKIP_IF(sanitizer) \
  if (sanitizer) GTEST_SKIP() << "reported by the sanitizer, see test_faults.py"

class KernelTest : public testing::Test {
 protected:
  ~KernelTest() override { simt::options() = {}; }

  /// Calls `check` in many orders of threads and of blocks.
  static void in_all_orders(const std::function<void()>& check) {
    using simt::Order;
    const simt::Options all[] = {
        {Order::forward, Order::forward, 0},   {Order::forward, Order::reverse, 0},
        {Order::reverse, Order::forward, 0},   {Order::reverse, Order::reverse, 0},
        {Order::shuffled, Order::shuffled, 1}, {Order::shuffled, Order::shuffled, 2},
        {Order::shuffled, Order::shuffled, 3},
    };
    for (const simt::Options& options : all) {
      simt::options() = options;
      SCOPED_TRACE("threads " + std::to_string(static_cast<int>(options.threads)) + ", blocks " +
                   std::to_string(static_cast<int>(options.blocks)) + ", seed " +
                   std::to_string(options.seed));
      check();
    }
  }

  /// In how many of them the result is wrong.
  static int wrong_orders(const std::function<bool()>& right) {
    int wrong = 0;
    in_all_orders([&] { wrong += right() ? 0 : 1; });
    return wrong;
  }

  /// In every order the kernel ends with an error that says each of `words`.
  static void expect_error(const std::function<void()>& run,
                           const std::vector<std::string>& words) {
    in_all_orders([&] {
      try {
        run();
        ADD_FAILURE() << "no error";
      } catch (const simt::Error& error) {
        for (const std::string& word : words) {
          EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
              << word << "\nis not in: " << error.what();
        }
      }
    });
  }
};

}  // namespace xnorbench::simt_test
