// A GPU as a device, and every layer on it against the oracle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "bench/cases/checker.h"
#include "bench/cases/fuzz.h"
#include "tests/cuda_fixture.h"

namespace xnorbench {
namespace {

using CudaDevice = CudaTest;
using CudaLayers = CudaTest;

TEST_F(CudaDevice, NewMemoryIsZeroAndKeepsWhatIsWritten) {
  Ledger ledger(cuda_module().device());
  for (std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, std::size_t{4097}, std::size_t{1} << 20}) {
    const Buffer buffer = ledger.allocate(Category::input_output, bytes, "a test");
    std::vector<unsigned char> values(bytes, 1);
    ledger.device().read(values.data(), buffer.data(), bytes);
    EXPECT_EQ(values, std::vector<unsigned char>(bytes, 0));
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<unsigned char>(i * 7);
    ledger.device().write(buffer.data(), values.data(), bytes);
    std::vector<unsigned char> found(bytes);
    ledger.device().read(found.data(), buffer.data(), bytes);
    EXPECT_EQ(found, values);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % buffer_alignment, 0U);
  }
  EXPECT_EQ(ledger.current().total(), 0U);
}

TEST_F(CudaDevice, HasAClockAndRunsWhatItTimes) {
  Device& device = cuda_module().device();
  EXPECT_GT(device.measure_clock_hz(), 0.0);
  int calls = 0;
  EXPECT_GE(device.time_ns([&calls] { ++calls; }), 0.0);
  EXPECT_EQ(calls, 1);
  device.evict_caches();
  EXPECT_GT(device.bytes_in_use(), 0U);
}

TEST_F(CudaDevice, IsDescribed) {
  const auto description = cuda_description();
  for (const char* field :
       {"name", "compute_capability", "memory_bytes", "driver_cuda", "cublas", "cudnn"})
    EXPECT_TRUE(description.contains(field)) << field;
}

void expect_right(const ConvProblem& problem, std::uint64_t seed,
                  std::map<std::string, int>& compared) {
  CheckTally tally;
  check_problem(problem, seed, find_implementations("cuda_*"), {1}, tally);
  for (const std::string& fault : tally.faults) ADD_FAILURE() << fault;
  for (const auto& [name, statuses] : tally.statuses)
    if (statuses.contains("ok")) compared[name] += 1;
}

/// Around the tiles of 64 channels and 16 or 64 pixels and the steps of 8 words, beside the traps
/// of all implementations.
std::vector<ConvProblem> tile_problems() {
  std::vector<ConvProblem> problems;
  for (std::int64_t channels : {1, 32, 63, 64, 65, 127, 128, 129, 192, 256})
    for (std::int64_t outputs : {1, 63, 64, 65, 130})
      for (const char* rest : {"_ih1", "_ih4_iw5_kh3_ph1", "_ih9_iw8_kh3_ph1_pad-1_dstf32sign"})
        problems.push_back(parse_problem(fmt::format("ic{}_oc{}{}", channels, outputs, rest)));
  for (std::int64_t words = 1; words <= 17; ++words)  // K in steps of 8 words
    problems.push_back(parse_problem(fmt::format("ic{}_iw17_oc3_dstsign", words * 64)));
  for (const char* text :
       {"ic128_ih5_oc128_kh3_ph1_g2_dstsign", "ic128_ih5_oc130_kh3_ph1_g2_dstf32sign",
        "ic6_ih9_oc128_kh3_ph1_g2_pad1", "ic64_ih4_oc64_kh3_ph4_pw5",
        "n3_ic70_ih7_iw5_oc66_kh3_kw2_ph1_sh2_dw2_dstf32_srcf32",
        "n2_ic64_ih17_iw16_oc64_kh3_ph1_pad-1_zerominus_dstsign_srcf32"})
    problems.push_back(parse_problem(text));
  return problems;
}

TEST_F(CudaLayers, GiveTheOraclesResultAroundEveryTile) {
  std::map<std::string, int> compared;
  std::uint64_t seed = 0;
  for (const ConvProblem& problem : tile_problems()) expect_right(problem, seed++, compared);
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"})
    EXPECT_GE(compared[name], static_cast<int>(tile_problems().size()))
        << name << " supports every shape";
}

TEST_F(CudaLayers, GiveTheOraclesResultOnKnownTrapsAndRandomProblems) {
  std::map<std::string, int> compared;
  for (const ConvProblem& problem : trap_problems())
    for (std::uint64_t seed = 0; seed < 3; ++seed) expect_right(problem, seed, compared);
  Random random(11);
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    expect_right(random_problem(random), seed, compared);
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"})
    EXPECT_GT(compared[name], 100) << name;
}

}  // namespace
}  // namespace xnorbench
