// One clear reason for each way in which a GPU cannot be used.
#include "kernels/probe.h"

#include <gtest/gtest.h>

#include "tests/simulated/fake_cuda.h"

namespace xnorbench::cuda {
namespace {

TEST(Probe, SaysWhyThereIsNoDevice) {
  auto reason = [](cudaError_t error, int devices, int driver) {
    return device_support(error, devices, driver, 13000).reason;
  };
  EXPECT_EQ(reason(cudaErrorInsufficientDriver, 0, 0),
            "no CUDA device (no NVIDIA driver is running)");
  EXPECT_EQ(reason(cudaErrorInsufficientDriver, 0, 11040),
            "no CUDA device (the driver is for CUDA 11.4, this build needs 13.0 or newer)");
  EXPECT_EQ(reason(cudaErrorNoDevice, 0, 13000),
            "no CUDA device (no CUDA-capable device is detected)");
  EXPECT_EQ(reason(cudaSuccess, 0, 13000),
            "no CUDA device (the driver shows none; see CUDA_VISIBLE_DEVICES)");
  EXPECT_TRUE(device_support(cudaSuccess, 1, 13000, 13000));
}

TEST(Probe, NamesTheDeviceForWhichThereIsNoCode) {
  const Support support = code_support(cudaErrorNoKernelImageForDevice, "Quadro K600", 3, 0);
  EXPECT_EQ(support.status, Support::Status::unavailable);
  EXPECT_EQ(support.reason,
            "no code for Quadro K600 (compute capability 3.0) in this build, which "
            "has " XNORBENCH_CUDA_ARCHITECTURES "; build with -DXNORBENCH_CUDA_ARCHITECTURES=30");
  EXPECT_TRUE(code_support(cudaSuccess, "any", 9, 0));
  EXPECT_NE(
      code_support(cudaErrorMemoryAllocation, "Quadro K600", 3, 0).reason.find("out of memory"),
      std::string::npos);
}

TEST(Probe, AsksInTurnForADevicePoolsAndCode) {
  const FakeCuda before = fake_cuda();
  EXPECT_TRUE(probe_device());
  fake_cuda().kernels_error = cudaErrorNoKernelImageForDevice;
  EXPECT_EQ(probe_device().reason.find("no code for the host (compute capability 8.0)"), 0U)
      << probe_device().reason;
  fake_cuda().has_memory_pools = 0;
  EXPECT_EQ(probe_device().reason, "the host: its driver has no memory pools");
  fake_cuda().devices = 0;
  EXPECT_EQ(probe_device().reason,
            "no CUDA device (the driver shows none; see CUDA_VISIBLE_DEVICES)");
  fake_cuda() = before;
}

}  // namespace
}  // namespace xnorbench::cuda
