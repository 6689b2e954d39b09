// What a session makes of its cases: their rows, and their results.
#include "bench/measure/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace xnorbench {
namespace {

/// A case without work whose output, support and check the test chooses.
class FakeCase final : public TimedCase {
 public:
  explicit FakeCase(const std::string& name) : TimedCase(describe(name), Cache::hot) {}

  Support support() const override { return can_run; }
  double prepare() override {
    ++prepared;
    return 1;
  }
  Device& device() override { return host_device(); }
  void run() override {}
  std::string output_hash() const override { return prepared == changes_at ? "other" : "hash"; }
  KernelName kernel() const override { return {}; }
  std::optional<double> bound() const override { return std::nullopt; }
  void release() override {}
  Verification verify() override {
    if (!refusal.empty()) throw InputError(refusal);
    Verification verification;
    verification.wrong = wrong;
    prepare();
    return verification;
  }

  Support can_run{};
  std::string wrong, refusal;
  int prepared = 0, changes_at = 0;  ///< the check prepares first, then each repetition

 private:
  static Record describe(const std::string& name) {
    Record record;
    record.case_name = name;
    return record;
  }
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() : out_(testing::TempDir() + "xnorbench_session_test") {
    std::filesystem::remove_all(out_);
  }
  ~SessionTest() override { std::filesystem::remove_all(out_); }

  SessionResult run(std::unique_ptr<FakeCase> fake, int repetitions) {
    SessionOptions options;
    options.repetitions = repetitions;
    options.min_seconds = 0;
    RunFolder folder(out_, {"xnorbench", "test"}, {});
    std::vector<std::unique_ptr<TimedCase>> cases;
    cases.push_back(std::move(fake));
    return run_session(std::move(cases), options, folder);
  }

  /// A field of each row of records.csv; the fields that are looked at hold no commas.
  std::vector<std::string> column(const std::string& name) const {
    std::vector<std::string> values;
    std::ifstream stream(out_ / "records.csv");
    std::size_t place = 0;
    for (std::string line; std::getline(stream, line);) {
      std::vector<std::string> fields;
      std::istringstream parts(line);
      for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
      if (values.empty())
        place = static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) -
                                         fields.begin());
      values.push_back(fields.at(place));
    }
    values.erase(values.begin());
    return values;
  }

  std::filesystem::path out_;
};

using Texts = std::vector<std::string>;

TEST_F(SessionTest, AWrongRepetitionDoesNotMarkTheNext) {
  auto fake = std::make_unique<FakeCase>("changes");
  fake->changes_at = 2;
  const SessionResult result = run(std::move(fake), 3);
  EXPECT_TRUE(result.any_wrong);
  EXPECT_EQ(column("status")[0], "wrong");
  for (std::size_t later : {1U, 2U}) EXPECT_NE(column("status")[later], "wrong");
  EXPECT_EQ(column("verified"), (Texts{"no", "yes", "yes"}));
  EXPECT_EQ(column("repetition"), (Texts{"0", "1", "2"}));
  ASSERT_EQ(result.cases.size(), 1u);
  EXPECT_NE(result.cases[0].record.status, "ok");
  EXPECT_LE(result.cases[0].medians_ns.size(), 2u);
}

TEST_F(SessionTest, WhatTheCheckFindsIsTheOnlyRow) {
  auto fake = std::make_unique<FakeCase>("wrong");
  fake->wrong = "differs";
  const SessionResult result = run(std::move(fake), 3);
  EXPECT_TRUE(result.any_wrong);
  EXPECT_EQ(column("status"), Texts{"wrong"});
  EXPECT_EQ(column("output_hash"), Texts{"hash"});
  EXPECT_EQ(result.cases[0].record.status, "wrong");
  EXPECT_EQ(result.cases[0].record.reason, "differs");
}

TEST_F(SessionTest, WhatCannotRunKeepsItsReason) {
  auto unsupported = std::make_unique<FakeCase>("unsupported");
  unsupported->can_run = {Support::Status::unsupported, "too wide"};
  SessionResult result = run(std::move(unsupported), 3);
  EXPECT_FALSE(result.any_wrong);
  EXPECT_EQ(column("status"), Texts{"unsupported"});
  EXPECT_EQ(result.cases[0].record.reason, "too wide");
}

TEST_F(SessionTest, ARefusalSkipsOneCase) {
  auto refused = std::make_unique<FakeCase>("refused");
  refused->refusal = "no memory";
  const SessionResult result = run(std::move(refused), 3);
  EXPECT_FALSE(result.any_wrong);
  EXPECT_EQ(column("status"), Texts{"skipped"});
  EXPECT_EQ(column("reason"), Texts{"no memory"});
  EXPECT_EQ(result.cases[0].record.status, "skipped");
}

}  // namespace
}  // namespace xnorbench
