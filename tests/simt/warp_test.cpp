// What the threads of a warp do together: values as CUDA says, and an error for each wrong use.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/simt/cases.h"
#include "tests/simt/kernel_test.h"

namespace xnorbench::simt_test {
namespace {

using SimtWarp = KernelTest;

TEST_F(SimtWarp, MissingSyncwarpGivesAWrongResult) {
  SKIP_IF(thread_sanitizer);
  EXPECT_GT(wrong_orders([] { return block_sums_are_right<Fault::missing_syncwarp>(1000); }), 0);
}

TEST_F(SimtWarp, BallotAfterAnEarlyReturnIsAnError) {
  expect_error([] { pack_is_right<Fault::early_return>(3, 100); },
               {"kernels.h:", "__ballot_sync(0xffffffff)", "(warp 3, lane 0)",
                "names lane 4, which has exited"});
}

TEST_F(SimtWarp, FullMaskInABranchIsAnError) {
  expect_error([] { pack_is_right<Fault::full_mask_in_branch>(3, 100); },
               {"kernels.h:", "__ballot_sync(0xffffffff)", "(warp 3, lane 0)",
                "names lane 4, which has exited"});
}

TEST_F(SimtWarp, MaskWithoutTheLaneItselfIsAnError) {
  expect_error([] { pack_is_right<Fault::wrong_mask>(3, 100); },
               {"kernels.h:", "__ballot_sync(0x7fffffff)", "lane 31)",
                "does not name the thread's own lane"});
}

TEST_F(SimtWarp, DifferentMasksAreAnError) {
  expect_error([] { row_sums_are_right<Fault::different_masks>(7, 100); },
               {"kernels.h:", "__shfl_xor_sync(0xffffffff)",
                "names lane 5, which waits here with the mask 0x7fffffff"});
}

__global__ void vote_in_each_branch() {
  if (threadIdx.x < 16) {
    __all_sync(0xffffffffU, 1);
  } else {
    __all_sync(0xffffffffU, 1);
  }
}

TEST_F(SimtWarp, SameVoteAtTwoLinesIsAnError) {
  expect_error([] { launch(vote_in_each_branch, dim3(1), dim3(32), nullptr); },
               {"warp_test.cpp:",
                "(warp 0, lane 0): the mask names lane 16, which waits in __all_sync(0xffffffff)"});
}

__global__ void sync_last_warp() { __syncwarp(); }

TEST_F(SimtWarp, MaskWithLanesThatTheWarpDoesNotHaveIsAnError) {
  expect_error([] { launch(sync_last_warp, dim3(1), dim3(48), nullptr); },
               {"warp_test.cpp:", "(warp 1, lane 0)",
                "names lane 16, which this warp of 16 threads does not have"});
}

__global__ void vote(unsigned* ballots, int* any, int* all) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned mask = lane < 8 ? 0x000000ffU : 0xffffff00U;
  ballots[lane] = __ballot_sync(mask, lane % 3 == 0);
  any[lane] = __any_sync(mask, lane == 20);
  all[lane] = __all_sync(mask, lane >= 8);
}

TEST_F(SimtWarp, VotesCountTheLanesInTheMask) {
  in_all_orders([] {
    std::vector<unsigned> ballots(32);
    std::vector<int> any(32), all(32);
    launch(vote, dim3(1), dim3(32), nullptr, ballots.data(), any.data(), all.data());
    for (std::size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(ballots[lane], lane < 8 ? 0x00000049U : 0x49249200U);
      EXPECT_EQ(any[lane], lane < 8 ? 0 : 1);
      EXPECT_EQ(all[lane], lane < 8 ? 0 : 1);
    }
  });
}

__global__ void sum_of_lanes(int* sums) {
  const int lane = static_cast<int>(threadIdx.x);
  int sum = 0;
  simt::collective("sum", 0xffffffffU, &lane, &sum, [](const simt::WarpExchange& warp) {
    for (void* const output : warp.output) {
      for (const void* const input : warp.input) {
        *static_cast<int*>(output) += *static_cast<const int*>(input);
      }
    }
  });
  sums[lane] = sum;
}

TEST_F(SimtWarp, ACollectiveOfOnesOwn) {
  in_all_orders([] {
    std::vector<int> sums(32);
    launch(sum_of_lanes, dim3(1), dim3(32), nullptr, sums.data());
    EXPECT_EQ(sums, std::vector<int>(32, 496));
  });
}

template <typename T>
__global__ void shuffle_all(T* from, T* up, T* down, T* across, int argument, int width) {
  const unsigned lane = threadIdx.x;
  const T value = static_cast<T>(100 + lane);
  from[lane] = __shfl_sync(0xffffffffU, value, argument, width);
  up[lane] = __shfl_up_sync(0xffffffffU, value, static_cast<unsigned>(argument), width);
  down[lane] = __shfl_down_sync(0xffffffffU, value, static_cast<unsigned>(argument), width);
  across[lane] = __shfl_xor_sync(0xffffffffU, value, argument, width);
}

template <typename T>
void expect_shuffles(int argument, int width) {
  SCOPED_TRACE("argument " + std::to_string(argument) + ", width " + std::to_string(width));
  std::vector<T> from(32), up(32), down(32), across(32);
  launch(shuffle_all<T>, dim3(1), dim3(32), nullptr, from.data(), up.data(), down.data(),
         across.data(), argument, width);
  for (int lane = 0; lane < 32; ++lane) {
    const int section = lane / width * width;
    const auto value_of = [](int source) { return static_cast<T>(100 + source); };
    const std::size_t index = static_cast<std::size_t>(lane);
    EXPECT_EQ(from[index], value_of(section + argument % width));
    EXPECT_EQ(up[index], value_of(lane - argument >= section ? lane - argument : lane));
    EXPECT_EQ(down[index], value_of(lane + argument < section + width ? lane + argument : lane));
    // CUDA lets a lane read from the sections before its own.
    EXPECT_EQ(across[index],
              value_of((lane ^ argument) < section + width ? lane ^ argument : lane));
  }
}

TEST_F(SimtWarp, ShufflesReadFromTheLaneThatCudaSays) {
  for (const int width : {1, 2, 8, 32}) {
    for (const int argument : {0, 1, 3, 8, 17, 31}) {
      expect_shuffles<int>(argument, width);
      expect_shuffles<float>(argument, width);
      expect_shuffles<unsigned long long>(argument, width);
    }
  }
}

TEST_F(SimtWarp, MissingShuffleStepGivesAWrongResult) {
  EXPECT_GT(wrong_orders([] { return row_sums_are_right<Fault::missing_step>(7, 100); }), 0);
}

TEST_F(SimtWarp, ShuffleFromALaneNotInTheMaskIsAnError) {
  expect_error(
      [] { row_sums_are_right<Fault::lane_not_in_mask>(7, 100); },
      {"kernels.h:", "__shfl_xor_sync(0x", "reads from lane", "which the mask does not name"});
}

__global__ void shuffle_badly(unsigned delta, int width) {
  __shfl_up_sync(0xffffffffU, 1, delta, width);
}

TEST_F(SimtWarp, ShuffleWithABadWidthOrDistanceIsAnError) {
  expect_error([] { launch(shuffle_badly, dim3(1), dim3(32), nullptr, 1U, 12); },
               {"warp_test.cpp:", "width is 12"});
  expect_error([] { launch(shuffle_badly, dim3(1), dim3(32), nullptr, 1U, 64); },
               {"warp_test.cpp:", "width is 64"});
  expect_error([] { launch(shuffle_badly, dim3(1), dim3(32), nullptr, 32U, 32); },
               {"warp_test.cpp:", "distance is 32"});
}

}  // namespace
}  // namespace xnorbench::simt_test
