// The cases that claims of speed are measured on, all in one session, and the times of that
// session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/cli/options.h"

namespace xnorbench {

/// Collects cases. A case that several claims need is made once.
class ClaimCases {
 public:
  explicit ClaimCases(const Options& options) : options_(options) {}

  // `implementations` as --implementations takes them.

  /// A problem's text with its region, as in ic256_ih14_oc256_kh3_ph1_srcf32_dstf32.
  void add_layer(const std::string& problem, const std::string& implementations);
  /// m, n and k, as in m1024_n1024_k1024.
  void add_product(const std::string& sizes, const std::string& implementations);
  /// On random input. With OpenBLAS, real-valued layers are computed as Torch7 computes them.
  void add_network(const std::string& network, std::int64_t batch,
                   const std::string& implementations);

  std::vector<std::unique_ptr<TimedCase>> take() { return std::move(cases_); }

 private:
  void add(std::unique_ptr<TimedCase> timed_case);
  template <typename F>
  void for_each_implementation(const std::string& list, F&& f);

  const Options& options_;
  std::vector<std::unique_ptr<TimedCase>> cases_;
  std::set<std::string> names_;
};

/// How ClaimTimes names a network at a batch: "binarynet_mnist/n64".
std::string network_at_batch(const std::string& network, std::int64_t batch);

/// The medians of a session. `what` is a problem's text, a product's sizes or network_at_batch().
class ClaimTimes {
 public:
  explicit ClaimTimes(const SessionResult& result) : result_(result) {}

  /// Nothing if it was not timed.
  std::optional<double> ns(const std::string& what, const std::string& implementation) const;
  /// How many times `fast` is faster than `slow`.
  std::optional<double> ratio(const std::string& what, const std::string& slow,
                              const std::string& fast) const;
  /// Why there is no time.
  std::string reason(const std::string& what, const std::string& implementation) const;

 private:
  const CaseResult* find(const std::string& what, const std::string& implementation) const;

  const SessionResult& result_;
};

}  // namespace xnorbench
