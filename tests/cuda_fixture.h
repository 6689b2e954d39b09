// Tests of the CUDA half: skipped, and counted as skipped, without a device. tests/simulated runs
// the same tests with kernels on the host, in three orders of threads and blocks.
#pragma once

#include <gtest/gtest.h>

#include "core/cuda_module.h"

namespace xnorbench {

class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const Support support = cuda_support(); !support) GTEST_SKIP() << support.reason;
  }
};

}  // namespace xnorbench
