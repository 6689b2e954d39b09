// The planner: buffers that live at the same time never share bytes, and the arena is near its
// lower bound.
#include "core/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/implementation.h"
#include "core/memory.h"
#include "core/random.h"
#include "networks/compile/executor.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"

namespace xnorbench {
namespace {

constexpr std::size_t block = buffer_alignment;

std::size_t aligned(std::size_t bytes) { return (bytes + block - 1) / block * block; }

std::size_t bytes_alive(const std::vector<Lifetime>& lifetimes, std::size_t step) {
  std::size_t alive = 0;
  for (const Lifetime& life : lifetimes)
    if (life.birth <= step && step <= life.death) alive += aligned(life.bytes);
  return alive;
}

void expect_valid(const std::vector<Lifetime>& lifetimes, const ArenaPlan& plan) {
  ASSERT_EQ(plan.offsets.size(), lifetimes.size());
  std::size_t steps = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime& a = lifetimes[i];
    EXPECT_EQ(plan.offsets[i] % block, 0U) << "buffer " << i;
    EXPECT_LE(plan.offsets[i] + a.bytes, plan.bytes) << "buffer " << i << " ends outside the arena";
    steps = std::max(steps, a.death + 1);
    if (a.bytes > 0) end = std::max(end, plan.offsets[i] + aligned(a.bytes));
    for (std::size_t j = 0; j < i; ++j) {
      const Lifetime& b = lifetimes[j];
      const bool together = a.birth <= b.death && b.birth <= a.death && a.bytes > 0 && b.bytes > 0;
      const bool share = plan.offsets[i] < plan.offsets[j] + b.bytes &&
                         plan.offsets[j] < plan.offsets[i] + a.bytes;
      EXPECT_FALSE(together && share)
          << "buffers " << i << " and " << j << " live together and share bytes";
    }
  }
  EXPECT_EQ(plan.bytes, end) << "the arena is larger than what lies in it";

  std::size_t largest = 0;
  for (std::size_t step = 0; step < steps; ++step)
    largest = std::max(largest, bytes_alive(lifetimes, step));
  EXPECT_EQ(plan.lower_bound, largest);

  // The peak counts bytes as they are, and is the first of equal ones.
  Peak expected;
  for (std::size_t step = 0; step < steps; ++step) {
    std::size_t alive = 0;
    for (const Lifetime& life : lifetimes)
      if (life.birth <= step && step <= life.death) alive += life.bytes;
    if (alive > expected.bytes) expected = {step, alive};
  }
  EXPECT_EQ(find_peak(lifetimes).step, expected.step);
  EXPECT_EQ(find_peak(lifetimes).bytes, expected.bytes);
  EXPECT_GE(plan.bytes, plan.lower_bound);
}

std::vector<Lifetime> random_lifetimes(Random& random) {
  const std::int64_t steps = 1 + random.below(30);
  const std::int64_t longest = 1 + random.below(steps);
  const std::int64_t count = random.below(40);
  const bool whole_blocks = random.one_in(2);
  std::vector<Lifetime> lifetimes;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t birth = random.below(steps);
    const std::int64_t death = std::min(steps - 1, birth + random.below(longest));
    std::int64_t bytes = random.one_in(10) ? 0 : 1 + random.below(random.one_in(3) ? 5000 : 200);
    if (whole_blocks) bytes *= static_cast<std::int64_t>(block);
    lifetimes.push_back({static_cast<std::size_t>(bytes), static_cast<std::size_t>(birth),
                         static_cast<std::size_t>(death)});
  }
  return lifetimes;
}

TEST(Planner, BuffersThatLiveTogetherNeverShareBytes) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::vector<Lifetime> lifetimes = random_lifetimes(random);
    expect_valid(lifetimes, plan_arena(lifetimes));
    if (HasFailure()) return;
  }
}

TEST(Planner, BothEndsOfALifeCount) {
  // The first dies in the step in which the second is born: a step reads the one and writes the
  // other.
  const std::vector<Lifetime> touching{{block, 0, 3}, {block, 3, 5}};
  EXPECT_EQ(plan_arena(touching).bytes, 2 * block);
  const std::vector<Lifetime> apart{{block, 0, 3}, {block, 4, 5}};
  EXPECT_EQ(plan_arena(apart).bytes, block);
  const std::vector<Lifetime> inside{{block, 0, 9}, {block, 4, 4}};
  EXPECT_EQ(plan_arena(inside).bytes, 2 * block);
}

TEST(Planner, FillsAGapBetweenTwoBuffers) {
  // In the middle of the long ones' lives a hole of two blocks opens between them.
  const std::vector<Lifetime> lifetimes{
      {4 * block, 0, 9}, {2 * block, 0, 2}, {3 * block, 0, 9}, {2 * block, 3, 9}};
  const ArenaPlan plan = plan_arena(lifetimes);
  expect_valid(lifetimes, plan);
  EXPECT_EQ(plan.bytes, plan.lower_bound);
}

TEST(Planner, KeepsTheBetterOfTwoOrders) {
  // Largest first needs a block more for these ...
  const std::vector<Lifetime> births_first{
      {3 * block, 0, 2}, {3 * block, 4, 4}, {3 * block, 3, 4}, {block, 0, 3}};
  EXPECT_EQ(plan_arena(births_first).bytes, 6 * block);
  // ... and the order of births for these.
  const std::vector<Lifetime> largest_first{{3 * block, 2, 4}, {block, 0, 1}, {2 * block, 0, 2}};
  EXPECT_EQ(plan_arena(largest_first).bytes, 5 * block);
}

TEST(Planner, RoundsSizesUpToTheAlignment) {
  const std::vector<Lifetime> lifetimes{{1, 0, 1}, {block + 1, 0, 1}, {block, 0, 1}};
  const ArenaPlan plan = plan_arena(lifetimes);
  expect_valid(lifetimes, plan);
  EXPECT_EQ(plan.bytes, 4 * block);
}

TEST(Planner, PlansNothingForNothing) {
  const ArenaPlan plan = plan_arena({});
  EXPECT_TRUE(plan.offsets.empty());
  EXPECT_EQ(plan.bytes, 0U);
  EXPECT_EQ(plan.lower_bound, 0U);
}

TEST(Planner, NeverNeedsMoreThanAllBuffersSideBySide) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::vector<Lifetime> lifetimes = random_lifetimes(random);
    std::size_t side_by_side = 0;
    for (const Lifetime& life : lifetimes) side_by_side += aligned(life.bytes);
    EXPECT_LE(plan_arena(lifetimes).bytes, side_by_side) << "seed " << seed;
  }
}

TEST(Planner, FaceAlignmentFitsWithinFivePercentOfTheLowerBound) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  for (const Implementation* implementation : find_implementations("cpu_*")) {
    if (!supports_network(graph, *implementation, FloatBackend::direct, this_machine())) continue;
    Ledger ledger;
    Context context{ledger, 1};
    const Executor executor(graph, parameters, *implementation, FloatBackend::direct, context);
    const auto arena = static_cast<double>(executor.plan().arena.bytes);
    const auto bound = static_cast<double>(executor.plan().arena.lower_bound);
    EXPECT_GE(arena, bound) << implementation->info().name;
    EXPECT_LE(arena, 1.05 * bound) << implementation->info().name;
    EXPECT_GT(bound, 0.0);
  }
}

}  // namespace
}  // namespace xnorbench
