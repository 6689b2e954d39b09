// Limits follow from given ceilings by their formulas; rows follow from given times. No clock here.
#include "cpu/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "bench/peaks.h"
#include "bench/record.h"
#include "core/implementation.h"

namespace xnorbench {
namespace {

/// No two rates or widths alike, so that no formula is right with another's.
CoreCeilings example() {
  CoreCeilings core;
  core.scalar = {.integer = 4.5, .popcnt = 1.25};
  core.baseline = {.isa = Isa::baseline, .vector_bytes = 16, .multiply_add = 1.5, .simd_mix = 2.25, .swar_mix = 3};
  core.best = {.isa = Isa::avx512bw, .vector_bytes = 64, .multiply_add = 1.75, .dot_product = 0.75, .simd_mix = 3.25};
  core.chosen = {.isa = Isa::avx2, .vector_bytes = 32, .multiply_add = 2, .dot_product = 1, .simd_mix = 3.5};
  return core;
}

const Implementation& find(const std::string& name) { return *find_implementations(name).front(); }

std::optional<double> limit(const std::string& name, const CoreCeilings& core) { return find(name).limit(core); }

bool is_built(const std::string& name) { return find(name).available(this_machine()).status == Support::Status::ok; }

TEST(Limits, FollowFromCeilings) {
  const CoreCeilings core = example();
  EXPECT_DOUBLE_EQ(*limit("cpu_f32_direct", core), 16 * 1.75);  // the best, not the chosen
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_popcnt", core), 64 * 1.25);
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_swar", core), 128 * 3 / 12.0);
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_bnntorch", core), 128 * 3 / 17.0);
  for (const char* library : {"cpu_f32_openblas", "cpu_f32_onednn"})
    if (is_built(library)) {
      EXPECT_DOUBLE_EQ(*limit(library, core), 16 * 1.75) << library;
    }
  if (is_built("cpu_i8_onednn")) {
    EXPECT_DOUBLE_EQ(*limit("cpu_i8_onednn", core), 64 * 0.75);
  }
#if defined(__x86_64__)
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_simd", core), 2 * 12 * 32 / 8.0 * 3.5);  // 768 MACs in 8 operations
#endif
}

TEST(Limits, TheSlowerOfTwoUnitsAndTheFasterOfTwoWays) {
  CoreCeilings core = example();
  core.scalar.integer = 3;  // XOR, POPCNT and addition share the units
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_popcnt", core), 64 * 1.0);
  core.scalar.integer = 9;
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_swar", core), 64 * 9 / 12.0);
  core.baseline.swar_mix.reset();
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_swar", core), 64 * 9 / 12.0);
}

TEST(Limits, OfTheChosenKernel) {
  CoreCeilings core = example();
#if defined(__x86_64__)
  core.chosen.isa = Isa::avx512bitalg;
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_simd", core), 2 * 16 * 32 / 5.0 * 3.5);  // 1024 MACs in 5 operations
  core.chosen.isa = Isa::baseline;
  EXPECT_FALSE(limit("cpu_xnor_simd", core));  // no kernel
#elif defined(__aarch64__)
  core.chosen = core.baseline;
  EXPECT_DOUBLE_EQ(*limit("cpu_xnor_simd", core), 2 * 12 * 16 / 8.0 * 2.25);
#endif
}

TEST(Limits, NoneWithoutItsRate) {
  for (const Implementation* implementation : all_implementations())
    EXPECT_FALSE(implementation->limit(CoreCeilings{})) << implementation->info().name;
}

TEST(Limits, EveryCpuImplementationOfThisBuildHasOneAndNoGpuHas) {
  for (const Implementation* implementation : all_implementations()) {
    const std::string& name = implementation->info().name;
    if (implementation->info().device == "cuda") {
      EXPECT_FALSE(limit_of(*implementation, CpuShare{})) << name;
    } else if (implementation->available(this_machine()) && name != "cpu_i8_onednn" &&  // no loop for every machine
               (implementation->info().arithmetic != "f32" || this_machine().has("avx2") || best_isa() == Isa::baseline)) {
      EXPECT_GT(limit_of(*implementation, CpuShare{}).value_or(0), 0) << name;
    }
  }
}

TEST(Limits, OfThreads) {
  const Implementation& swar = find("cpu_xnor_swar");
  const std::optional<double> one = limit_of(swar, CpuShare{1}), three = limit_of(swar, CpuShare{3});
  ASSERT_TRUE(one && three);
  EXPECT_DOUBLE_EQ(*three, 3 * *one);
}

TEST(Limits, OfANetworkAddsCycles) {
  NetworkCounts counts;
  counts.binary_macs = 600;
  counts.real_macs = 100;
  EXPECT_DOUBLE_EQ(*combined_limit(counts, 60.0, 20.0), 700 / (600 / 60.0 + 100 / 20.0));
  EXPECT_FALSE(combined_limit(counts, std::nullopt, 20.0));
  EXPECT_FALSE(combined_limit(counts, 60.0, std::nullopt));
  counts.binary_macs = 0;
  EXPECT_DOUBLE_EQ(*combined_limit(counts, std::nullopt, 20.0), 20.0);
  counts.real_macs = 0;
  EXPECT_FALSE(combined_limit(counts, 60.0, 20.0));  // nothing to compute
}

std::map<std::string, std::string> columns_of(const Record& record) {
  std::istringstream names(record_header()), fields(to_csv(record) + ",");
  std::map<std::string, std::string> columns;
  for (std::string name, field; std::getline(names, name, ',') && std::getline(fields, field, ',');) columns[name] = field;
  return columns;
}

TEST(LimitColumns, FollowFromTimesAndClock) {
  Record record;
  record.macs = 3'000'000;
  record.time_median_ns = 10'000;
  record.clock_hz = 4e9;  // 40,000 cycles
  record.limit = 300;
  EXPECT_EQ(columns_of(record)["macs_per_cycle"], "75");
  EXPECT_EQ(columns_of(record)["limit_share"], "0.25");
}

TEST(LimitColumns, EmptyWhereTheyDoNotApply) {
  Record whole;
  whole.macs = 3'000'000;
  whole.time_median_ns = 10'000;
  whole.clock_hz = 4e9;
  EXPECT_EQ(columns_of(whole)["macs_per_cycle"], "75");
  EXPECT_EQ(columns_of(whole)["limit_share"], "");  // no limit known
  whole.limit = 300;
  Record untimed = whole, unclocked = whole, elementwise = whole, uncounted = whole;
  untimed.time_median_ns.reset();
  unclocked.clock_hz.reset();
  elementwise.macs = 0;
  uncounted.macs.reset();
  for (const Record& record : {untimed, unclocked, elementwise, uncounted}) {
    auto columns = columns_of(record);
    ASSERT_TRUE(columns.contains("macs_per_cycle") && columns.contains("limit_share"));
    EXPECT_EQ(columns["macs_per_cycle"], "");
    EXPECT_EQ(columns["limit_share"], "");
  }
}

TEST(Peaks, RowsOfWhatWasMeasuredAreThisMachines) {
  core_ceilings(best_isa());
  const std::vector<PeakRow> peaks = measured_peaks();
  auto has = [&](const std::string& isa, const std::string& quantity) {
    return std::any_of(peaks.begin(), peaks.end(),
                       [&](const PeakRow& peak) { return peak.isa == isa && peak.quantity == quantity; });
  };
  EXPECT_TRUE(has("scalar", "integer_add"));
  EXPECT_TRUE(has(to_string(best_isa()), "limit_cpu_xnor_swar"));
  EXPECT_EQ(has("scalar", "popcnt"), this_machine().has("popcnt"));
  for (const PeakRow& peak : peaks) EXPECT_GT(peak.value, 0) << peak.isa << ' ' << peak.quantity;
  EXPECT_EQ(to_json(peaks).size(), peaks.size());
  EXPECT_TRUE(to_json({}).is_null());
}

}  // namespace
}  // namespace xnorbench
