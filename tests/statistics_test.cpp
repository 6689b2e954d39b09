// Quartiles of samples, CSV fields, and how many samples a repetition takes.
#include "bench/records/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/measure/sampler.h"
#include "bench/records/record.h"

namespace xnorbench {
namespace {

TEST(Statistics, OneSampleIsAllOfThem) {
  const Summary s = summarise({7.5});
  for (double value : {s.median, s.minimum, s.p25, s.p75, s.mean}) EXPECT_EQ(value, 7.5);
  EXPECT_EQ(s.stddev, 0.0);
}

TEST(Statistics, QuantilesInterpolateLinearly) {  // as numpy.percentile does by default
  const Summary odd = summarise({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.p25, 2);
  EXPECT_EQ(odd.p75, 4);
  const Summary even = summarise({40, 10, 30, 20});
  EXPECT_EQ(even.median, 25);
  EXPECT_EQ(even.p25, 17.5);
  EXPECT_EQ(even.p75, 32.5);
  EXPECT_EQ(even.minimum, 10);
  const Summary two = summarise({2, 1});
  EXPECT_EQ(two.median, 1.5);
  EXPECT_EQ(two.p25, 1.25);
  EXPECT_EQ(two.p75, 1.75);
}

TEST(Statistics, DeviationDividesByOneLess) {
  const Summary s = summarise({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(s.mean, 5);
  EXPECT_NEAR(s.stddev, 2.138089935299395, 1e-12);  // sqrt(32 / 7)
}

TEST(Statistics, EqualSamplesHaveNoSpread) {
  const Summary s = summarise(std::vector<double>(1000, 0.1));
  EXPECT_EQ(s.median, 0.1);
  EXPECT_EQ(s.p25, s.p75);
  EXPECT_NEAR(s.stddev, 0, 1e-12);
}

TEST(Statistics, MedianIsNotMovedByAnOutlier) { EXPECT_EQ(median({3, 1e12, 2}), 3); }

TEST(CsvField, QuotesOnlyWhereNeeded) {  // RFC 4180
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("plain text; with 'marks'"), "plain text; with 'marks'");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("carriage\rreturn"), "\"carriage\rreturn\"");
}

TEST(Record, HasAFieldForEveryColumn) {
  Record record;
  record.reason = "no commas please";
  const std::string header = records_csv().header(), row = records_csv().line(record);
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
}

TEST(Record, WhatDoesNotApplyIsEmpty) {
  EXPECT_EQ(records_csv().line(Record{}), ",,,,,,,,,,,,,,,1,1,,0,,0,ok,,no,,,,,,,,,,,,,,,,,,,,,,,");
}

TEST(Record, MemoryIsSummedByKind) {
  MemoryUse peak;
  for (std::size_t i = 0; i < category_count; ++i)
    peak[static_cast<Category>(i)] = std::size_t{1} << i;
  Record record;
  record.set_memory(peak, 1000);
  EXPECT_EQ(record.peak_bytes, 511);
  EXPECT_EQ(record.unattributed_bytes, 1000 - 511);
  EXPECT_EQ(record.weights_bytes, 1 + 2 + 4);
  EXPECT_EQ(record.activation_bytes, 8 + 16 + 32);
  EXPECT_EQ(record.workspace_bytes, 64 + 128);
}

TEST(SamplePlan, FillsTheTimeAskedFor) {
  const SamplePlan plan = SamplePlan::for_duration(1e6, 0, 0.1, 20'000);
  EXPECT_EQ(plan.samples, 100);
  EXPECT_EQ(plan.calls_per_sample, 1);
}

TEST(SamplePlan, TakesAtLeastOneAndAtMostAThousand) {
  EXPECT_EQ(SamplePlan::for_duration(5e9, 0, 0.1, 20'000).samples, 1);
  EXPECT_EQ(SamplePlan::for_duration(1e6, 0, 0, 20'000).samples, 1);
  EXPECT_EQ(SamplePlan::for_duration(30'000, 0, 1e6, 20'000).samples, 1000);
}

TEST(SamplePlan, ShortCallsAreTimedTogether) {
  const SamplePlan plan = SamplePlan::for_duration(100, 0, 0.01, 20'000);
  EXPECT_EQ(plan.calls_per_sample, 200);  // 20 us, of which reading the clock is nothing
  EXPECT_EQ(plan.samples, 500);
  EXPECT_EQ(SamplePlan::for_duration(19'999, 0, 0.01, 20'000).calls_per_sample, 2);
  EXPECT_EQ(SamplePlan::for_duration(20'000, 0, 0.01, 20'000).calls_per_sample, 1);
}

TEST(SamplePlan, LongTimesAreFilledByLongerSamplesWhenAThousandAreNotEnough) {
  const SamplePlan plan = SamplePlan::for_duration(100, 0, 2.0, 20'000);
  EXPECT_EQ(plan.samples, 1000);
  EXPECT_EQ(plan.calls_per_sample, 20'000);
}

TEST(SamplePlan, InAColdCacheOnlyOneCallIsCold) {
  EXPECT_EQ(SamplePlan::for_duration(100, 5e6, 0.1, 20'000).calls_per_sample, 1);
}

TEST(SamplePlan, ATimeOfZeroDoesNotDivideByIt) {
  const SamplePlan plan = SamplePlan::for_duration(0, 0, 0.01, 20'000);
  EXPECT_GE(plan.samples, 1);
  EXPECT_LE(plan.calls_per_sample, 20'000);
}

TEST(Sample, IsTheTimeOfOneCallOfMany) {
  int calls = 0;
  const SamplePlan plan{.samples = 1, .calls_per_sample = 7};
  const Sample sample = take_sample(plan, Cache::hot, host_device(), [&calls] { ++calls; });
  EXPECT_GE(sample.ns, 0);
  EXPECT_GE(sample.host_ns, sample.ns) << "around the device's time";
  EXPECT_EQ(calls, 7);
}

}  // namespace
}  // namespace xnorbench
