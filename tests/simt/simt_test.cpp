// Kernels on the host: right ones give the right result in every order; of faulty ones, each kind
// of fault is found, by an error or by a wrong result. What only a sanitizer finds is in fault.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "tests/simt/cases.h"
#include "tests/simt/kernel_test.h"

namespace xnorbench::simt_test {
namespace {

using simt::Order;
using Simt = KernelTest;

// Right kernels.

TEST_F(Simt, RightKernelsAreRightInEveryOrder) {
  in_all_orders([] { EXPECT_TRUE(all_are_right()); });
}

TEST_F(Simt, RightKernelsAreRightAfterAnError) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_THROW(pack_is_right<Fault::early_return>(3, 100), simt::Error);
    EXPECT_TRUE(all_are_right());
  }
}

__global__ void write_indices(uint3* threads, uint3* blocks, dim3* sizes) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned number = block * blockDim.x * blockDim.y * blockDim.z + thread;
  threads[number] = threadIdx;
  blocks[number] = blockIdx;
  if (number == 0) {
    sizes[0] = blockDim;
    sizes[1] = gridDim;
  }
}

TEST_F(Simt, EveryThreadOfTheGridRunsOnce) {
  in_all_orders([] {
    std::vector<uint3> threads(48), blocks(48);
    std::vector<dim3> sizes(2);
    launch(write_indices, dim3(2, 1, 4), dim3(1, 3, 2), nullptr, threads.data(), blocks.data(),
           sizes.data());
    unsigned number = 0;
    for (unsigned block = 0; block < 8; ++block) {
      for (unsigned thread = 0; thread < 6; ++thread, ++number) {
        EXPECT_EQ(threads[number].y + 3 * threads[number].z, thread);
        EXPECT_EQ(threads[number].x, 0U);
        EXPECT_EQ(blocks[number].x + 2 * blocks[number].z, block);
        EXPECT_EQ(blocks[number].y, 0U);
      }
    }
    EXPECT_EQ(sizes[0].y, 3U);
    EXPECT_EQ(sizes[1].z, 4U);
  });
}

__global__ void draw_numbers(int* counter, int* before_barrier, int* after_barrier) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  before_barrier[thread] = atomicAdd(counter, 1);
  __syncthreads();
  after_barrier[thread] = atomicAdd(counter, 1);
}

TEST_F(Simt, OrdersAreWhatTheyAreCalled) {
  using Numbers = std::vector<int>;
  Numbers before(6), after(6);
  const auto draw = [&](Order threads, Order blocks, unsigned shuffle_seed) {
    simt::options() = {threads, blocks, shuffle_seed};
    int counter = 0;
    launch(draw_numbers, dim3(2), dim3(3), nullptr, &counter, before.data(), after.data());
  };
  draw(Order::forward, Order::forward, 1);
  EXPECT_EQ(before, (Numbers{0, 1, 2, 6, 7, 8}));
  EXPECT_EQ(after, (Numbers{3, 4, 5, 9, 10, 11}));
  draw(Order::reverse, Order::forward, 1);
  EXPECT_EQ(before, (Numbers{2, 1, 0, 8, 7, 6}));
  EXPECT_EQ(after, (Numbers{5, 4, 3, 11, 10, 9}));
  draw(Order::forward, Order::reverse, 1);
  EXPECT_EQ(before, (Numbers{6, 7, 8, 0, 1, 2}));

  std::set<Numbers> drawn;
  for (unsigned shuffle_seed = 0; shuffle_seed < 50; ++shuffle_seed) {
    draw(Order::shuffled, Order::shuffled, shuffle_seed);
    drawn.insert(before);
    const Numbers first = before;
    draw(Order::shuffled, Order::shuffled, shuffle_seed);
    EXPECT_EQ(before, first) << "the seed decides";
  }
  EXPECT_GT(drawn.size(), 25U) << "of 72 that are possible";
}

// Barriers.

TEST_F(Simt, MissingBarrierGivesAWrongResult) {
  SKIP_IF(thread_sanitizer);
  EXPECT_GT(
      wrong_orders([] { return product_is_right<Fault::missing_barrier_after_load>(17, 9, 700); }),
      0);
  EXPECT_GT(
      wrong_orders([] { return product_is_right<Fault::missing_barrier_after_use>(17, 9, 700); }),
      0);
}

TEST_F(Simt, BarrierInABranchIsAnError) {
  SKIP_IF(thread_sanitizer);  // the threads before the barrier race with those past it
  expect_error([] { block_sums_are_right<Fault::barrier_in_branch>(1000); },
               {"kernels.h:", "__syncthreads by block", "thread (0,0,0)", "barrier divergence",
                "thread (64,0,0)"});
}

__global__ void barrier_after_return() {
  if (threadIdx.x == 7) {
    return;
  }
  __syncthreads();
}

TEST_F(Simt, BarrierWithoutAThreadThatHasExitedIsAnError) {
  expect_error([] { launch(barrier_after_return, dim3(2), dim3(64), nullptr); },
               {"simt_test.cpp:", "__syncthreads", "barrier divergence",
                "thread (7,0,0) (warp 0, lane 7) has exited"});
}

__global__ void barrier_against_warp() {
  if (threadIdx.x < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

TEST_F(Simt, DeadlockNamesWhoWaitsWhere) {
  expect_error([] { launch(barrier_against_warp, dim3(1), dim3(64), nullptr); },
               {"simt_test.cpp:", "deadlock",
                "__syncwarp(0xffffffff) by block (0,0,0) thread (0,0,0)", "16 threads wait here",
                "__syncthreads by block (0,0,0) thread (16,0,0)", "48 threads wait here"});
}

// Memory.

TEST_F(Simt, MissingGuardGivesAWrongResult) {
  constexpr std::size_t margin = 100;
  EXPECT_GT(wrong_orders([] { return product_is_right<Fault::tile_guard>(17, 9, 700, margin); }),
            0);
  SKIP_IF(thread_sanitizer);  // two threads write one sum
  EXPECT_GT(wrong_orders([] { return product_is_right<Fault::store_guard>(17, 9, 700, margin); }),
            0);
}

TEST_F(Simt, WritePastTheEndOfASharedArrayIsAnError) {
  SKIP_IF(address_sanitizer);
  expect_error([] { block_sums_are_right<Fault::shared_overrun>(1000); },
               {"kernels.h:", "shared array partial of 512 bytes", "past its end"});
}

__global__ void copy_unwritten(unsigned* firsts, unsigned* seconds) {
  XNORBENCH_SHARED(unsigned, first, [32]);
  XNORBENCH_SHARED(uint4, second, [32]);
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  firsts[thread] = first[threadIdx.x];
  seconds[thread] = second[threadIdx.x].z;
  first[threadIdx.x] = 0;
  second[threadIdx.x] = make_uint4(0, 0, 0, 0);
}

TEST_F(Simt, SharedMemoryIsFilledForEveryBlock) {
  std::vector<unsigned> firsts(96), seconds(96);
  launch(copy_unwritten, dim3(3), dim3(32), nullptr, firsts.data(), seconds.data());
  EXPECT_EQ(firsts, std::vector<unsigned>(96, 0xc1c1c1c1U));
  EXPECT_EQ(seconds, std::vector<unsigned>(96, 0xc2c2c2c2U)) << "not what would cancel the first";
}

__global__ void align(bool* aligned) {
  XNORBENCH_SHARED(char, first, [3]);
  XNORBENCH_SHARED(char, second, [16]);
  aligned[0] = reinterpret_cast<std::uintptr_t>(first) % 16 == 0;
  aligned[1] = reinterpret_cast<std::uintptr_t>(second) % 16 == 0;
  aligned[2] = reinterpret_cast<std::uintptr_t>(second) % 32 != 0;
}

TEST_F(Simt, SharedMemoryIsAlignedTo16AndNotMore) {
  bool aligned[3] = {};
  launch(align, dim3(1), dim3(1), nullptr, aligned);
  EXPECT_TRUE(aligned[0] && aligned[1] && aligned[2]);
}

template <int bytes>
__global__ void use_shared() {
  XNORBENCH_SHARED(char, first, [40 * 1024]);
  XNORBENCH_SHARED(char, second, [bytes]);
  first[threadIdx.x] = 0;
  second[threadIdx.x] = 0;
}

TEST_F(Simt, TooMuchSharedMemoryIsAnError) {
  EXPECT_NO_THROW(launch(use_shared<8 * 1024>, dim3(2), dim3(32), nullptr));
  expect_error(
      [] { launch(use_shared<8 * 1024 + 1>, dim3(2), dim3(32), nullptr); },
      {"simt_test.cpp:", "shared array second of 8193 bytes", "more than the 49152 bytes"});
}

// Launches.

__global__ void nothing() {}

TEST_F(Simt, SizesThatNoDeviceHasAreAnError) {
  for (const dim3 block :
       {dim3(0), dim3(1025), dim3(32, 33), dim3(1, 1025), dim3(1, 1, 65), dim3(1, 0)}) {
    EXPECT_THROW(launch(nothing, dim3(1), block, nullptr), simt::Error);
  }
  for (const dim3 grid :
       {dim3(0), dim3(0x80000000U), dim3(1, 65536), dim3(1, 1, 65536), dim3(1, 1, 0)}) {
    EXPECT_THROW(launch(nothing, grid, dim3(1), nullptr), simt::Error);
  }
  EXPECT_NO_THROW(launch(nothing, dim3(1, 2, 3), dim3(1024), nullptr));
  EXPECT_NO_THROW(launch(nothing, dim3(1), dim3(4, 4, 64), nullptr));
}

TEST_F(Simt, CallsOutsideOfAKernelAreAnError) {
  EXPECT_THROW(__syncthreads(), simt::Error);
  EXPECT_THROW(__ballot_sync(0xffffffffU, 1), simt::Error);
}

__global__ void launch_again(bool* refused) {
  try {
    launch(nothing, dim3(1), dim3(1), nullptr);
  } catch (const simt::Error&) {
    *refused = true;
  }
}

TEST_F(Simt, ALaunchInsideAKernelIsAnError) {
  bool refused = false;
  launch(launch_again, dim3(1), dim3(1), nullptr, &refused);
  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace xnorbench::simt_test
