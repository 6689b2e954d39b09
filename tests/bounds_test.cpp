// Bounds follow from given peak rates by their formulas; rows follow from given times. No clock
// here.
#include "cpu/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "bench/measure/peaks.h"
#include "bench/records/record.h"
#include "core/implementation.h"

namespace xnorbench {
namespace {

/// No two rates or widths alike, so that no formula is right with another's.
CorePeakRates example() {
  CorePeakRates core;
  core.scalar = {.integer = 4.5, .popcnt = 1.25};
  core.baseline = {.isa = Isa::baseline,
                   .vector_bytes = 16,
                   .multiply_add = 1.5,
                   .simd_mix = 2.25,
                   .swar_mix = 3};
  core.best = {.isa = best_isa(),
               .vector_bytes = 64,
               .multiply_add = 1.75,
               .dot_product = 0.75,
               .simd_mix = 3.25};
  core.chosen = {.vector_bytes = 32, .multiply_add = 2, .dot_product = 1, .simd_mix = 3.5};
#if defined(__x86_64__)
  core.chosen.isa = Isa::avx2;
#endif
  return core;
}

const Implementation& find(const char* name) { return *find_implementations(name).front(); }

std::optional<double> bound(const char* name, const CorePeakRates& core) {
  return find(name).bound(core);
}

bool is_built(const char* name) {
  return find(name).available(this_machine()).status == Support::Status::ok;
}

TEST(Bounds, FollowFromPeakRates) {
  const CorePeakRates core = example();
  EXPECT_DOUBLE_EQ(*bound("cpu_f32_direct", core), 16 * 1.75);  // the best, not the chosen
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_popcnt", core), 64 * 1.25);
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_swar", core), 128 * 3 / 12.0);
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_bnntorch", core), 128 * 3 / 17.0);
  for (const char* library : {"cpu_f32_openblas", "cpu_f32_onednn"})
    if (is_built(library)) {
      EXPECT_DOUBLE_EQ(*bound(library, core), 16 * 1.75) << library;
    }
  if (is_built("cpu_i8_onednn")) {
    EXPECT_DOUBLE_EQ(*bound("cpu_i8_onednn", core), 64 * 0.75);
  }
#if defined(__x86_64__)
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_simd", core),
                   2 * 12 * 32 / 8.0 * 3.5);  // 768 MACs in 8 operations
#endif
}

TEST(Bounds, TheSlowerOfTwoUnitsAndTheFasterOfTwoWays) {
  CorePeakRates core = example();
  core.scalar.integer = 3;  // XOR, POPCNT and addition share the units
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_popcnt", core), 64 * 1.0);
  core.scalar.integer = 9;
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_swar", core), 64 * 9 / 12.0);
  core.baseline.swar_mix.reset();
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_swar", core), 64 * 9 / 12.0);
}

TEST(Bounds, OfTheChosenKernel) {
  CorePeakRates core = example();
#if defined(__x86_64__)
  core.chosen.isa = Isa::avx512bitalg;
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_simd", core),
                   2 * 16 * 32 / 5.0 * 3.5);  // 1024 MACs in 5 operations
  core.chosen.isa = Isa::baseline;
  EXPECT_FALSE(bound("cpu_xnor_simd", core));  // no kernel
#elif defined(__aarch64__)
  core.chosen = core.baseline;
  EXPECT_DOUBLE_EQ(*bound("cpu_xnor_simd", core), 2 * 12 * 16 / 8.0 * 2.25);
#endif
}

TEST(Bounds, NoneWithoutItsRate) {
  for (const Implementation* implementation : all_implementations())
    EXPECT_FALSE(implementation->bound(CorePeakRates{})) << implementation->info().name;
}

TEST(Bounds, EveryCpuImplementationOfThisBuildHasOneAndNoGpuHas) {
  for (const Implementation* implementation : all_implementations()) {
    const std::string& name = implementation->info().name;
    if (implementation->info().device == "cuda") {
      EXPECT_FALSE(bound_of(*implementation, CpuShare{})) << name;
    } else if (implementation->available(this_machine()) &&
               name != "cpu_i8_onednn" &&  // no loop for every machine
               (implementation->info().arithmetic != "f32" || this_machine().has("avx2") ||
                best_isa() == Isa::baseline)) {
      EXPECT_GT(bound_of(*implementation, CpuShare{}).value_or(0), 0) << name;
    }
  }
}

TEST(Bounds, OfThreads) {
  const Implementation& swar = find("cpu_xnor_swar");
  const std::optional<double> one = bound_of(swar, CpuShare{1}),
                              three = bound_of(swar, CpuShare{3});
  ASSERT_TRUE(one && three);
  EXPECT_DOUBLE_EQ(*three, 3 * *one);
}

TEST(Bounds, OfANetworkAddsCycles) {
  NetworkCounts counts;
  counts.binary_macs = 600;
  counts.real_macs = 100;
  EXPECT_DOUBLE_EQ(*combined_bound(counts, 60.0, 20.0), 700 / (600 / 60.0 + 100 / 20.0));
  EXPECT_FALSE(combined_bound(counts, std::nullopt, 20.0));
  EXPECT_FALSE(combined_bound(counts, 60.0, std::nullopt));
  counts.binary_macs = 0;
  EXPECT_DOUBLE_EQ(*combined_bound(counts, std::nullopt, 20.0), 20.0);
  counts.real_macs = 0;
  EXPECT_FALSE(combined_bound(counts, 60.0, 20.0));  // nothing to compute
}

std::map<std::string, std::string> columns_of(const Record& record) {
  std::istringstream names(records_csv().header()), fields(records_csv().line(record) + ",");
  std::map<std::string, std::string> columns;
  for (std::string name, field; std::getline(names, name, ',') && std::getline(fields, field, ',');)
    columns[name] = field;
  return columns;
}

TEST(BoundColumns, FollowFromTimesAndClock) {
  Record record;
  record.macs = 3'000'000;
  record.time_median_ns = 10'000;
  record.clock_hz = 4e9;  // 40,000 cycles
  record.bound = 300;
  EXPECT_EQ(columns_of(record)["macs_per_cycle"], "75");
  EXPECT_EQ(columns_of(record)["bound_share"], "0.25");
}

TEST(BoundColumns, EmptyWhereTheyDoNotApply) {
  Record whole;
  whole.macs = 3'000'000;
  whole.time_median_ns = 10'000;
  whole.clock_hz = 4e9;
  EXPECT_EQ(columns_of(whole)["macs_per_cycle"], "75");
  EXPECT_EQ(columns_of(whole)["bound_share"], "");  // no bound known
  whole.bound = 300;
  Record untimed = whole, unclocked = whole, elementwise = whole, uncounted = whole;
  untimed.time_median_ns.reset();
  unclocked.clock_hz.reset();
  elementwise.macs = 0;
  uncounted.macs.reset();
  for (const Record& record : {untimed, unclocked, elementwise, uncounted}) {
    auto columns = columns_of(record);
    ASSERT_TRUE(columns.contains("macs_per_cycle") && columns.contains("bound_share"));
    EXPECT_EQ(columns["macs_per_cycle"], "");
    EXPECT_EQ(columns["bound_share"], "");
  }
}

TEST(Peaks, RowsOfWhatWasMeasuredAreThisMachines) {
  core_peak_rates(best_isa());
  const std::vector<PeakRow> peaks = measured_peaks();
  auto has = [&](const std::string& isa, const std::string& quantity) {
    return std::any_of(peaks.begin(), peaks.end(), [&](const PeakRow& peak) {
      return peak.isa == isa && peak.quantity == quantity;
    });
  };
  EXPECT_TRUE(has("scalar", "integer_add"));
  EXPECT_TRUE(has(to_string(best_isa()), "bound_cpu_xnor_swar"));
  EXPECT_EQ(has("scalar", "popcnt"), this_machine().has("popcnt"));
  for (const PeakRow& peak : peaks) EXPECT_GT(peak.value, 0) << peak.isa << ' ' << peak.quantity;
  EXPECT_EQ(to_json(peaks).size(), peaks.size());
  EXPECT_TRUE(to_json({}).is_null());
}

}  // namespace
}  // namespace xnorbench
