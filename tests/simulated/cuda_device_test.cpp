// The real CudaDevice over a stand-in for the CUDA runtime: what it says when calls fail.
#include "kernels/cuda_device.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/error.h"
#include "core/memory.h"
#include "kernels/launch.h"
#include "tests/simulated/fake_cuda.h"

namespace xnorbench::cuda {
namespace {

class DeviceFaults : public testing::Test {
 protected:
  ~DeviceFaults() override { fake_cuda() = before_; }
  FakeCuda before_ = fake_cuda();
};
using CudaDeviceFaults = DeviceFaults;

template <typename Error>
std::string message_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(CudaDeviceFaults, MemoryThatIsNotThereIsBadInputWithTheSizes) {
  CudaDevice device;
  Ledger ledger(device);
  fake_cuda().memory_bytes = fake_cuda().used_bytes + (std::size_t{3} << 20);
  const std::string message = message_of_error<InputError>(
      [&] { ledger.allocate(Category::input_output, std::size_t{5} << 20, "a large tensor"); });
  EXPECT_EQ(
      message.find("no memory for a large tensor: it needs 5.00 MiB, the GPU has 3.00 MiB of "), 0U)
      << message;
  EXPECT_EQ(ledger.current().total(), 0U);
  const Buffer small =
      ledger.allocate(Category::input_output, 1000, "a small tensor");  // no error is left behind
  launch_add_per_channel(small.as<float>(), small.as<float>(), 5, 3, device.stream());
}

TEST_F(CudaDeviceFaults, AFailedLaunchCopyOrWaitIsNamed) {
  CudaDevice device;
  Ledger ledger(device);
  const Buffer buffer = ledger.allocate(Category::input_output, 64, "a tensor");
  auto message = [&](auto&& call) {
    fake_cuda().pending_error = cudaErrorIllegalAddress;
    return message_of_error<std::runtime_error>(call);
  };
  float value = 0;
  EXPECT_EQ(message([&] {
              launch_add_per_channel(buffer.as<float>(), buffer.as<float>(), 1, 1, device.stream());
            }),
            "CUDA: add_per_channel: an error (cudaErrorOfTheStandIn)");
  EXPECT_EQ(message([&] { device.read(&value, buffer.data(), sizeof value); }),
            "CUDA: copy from the device: an error (cudaErrorOfTheStandIn)");
  EXPECT_EQ(message([&] { device.write(buffer.data(), &value, sizeof value); }),
            "CUDA: copy to the device: an error (cudaErrorOfTheStandIn)");
  EXPECT_EQ(message([&] { device.time_ns([] {}); }),
            "CUDA: count_cycles: an error (cudaErrorOfTheStandIn)");
}

/// After a kernel's fault every call fails, also those that buffers make on their way out.
TEST_F(CudaDeviceFaults, AnErrorThatStaysIsReportedOnceAndEndsNothingElse) {
  CudaDevice device;
  Ledger ledger(device);
  const std::string message = message_of_error<std::runtime_error>([&] {
    const Buffer buffer = ledger.allocate(Category::input_output, 64, "a tensor");
    fake_cuda().pending_error = cudaErrorIllegalAddress;
    fake_cuda().error_stays = true;
    float value = 0;
    device.read(&value, buffer.data(), sizeof value);
  });
  EXPECT_EQ(message, "CUDA: copy from the device: an error (cudaErrorOfTheStandIn)");
  EXPECT_EQ(ledger.current().total(), 0U);
  EXPECT_NE(message_of_error<std::runtime_error>(
                [&] { ledger.allocate(Category::input_output, 64, "a tensor"); }),
            "nothing was thrown");
  EXPECT_EQ(ledger.current().total(), 0U);
}

TEST_F(CudaDeviceFaults, GivesBackAllItTook) {
  const std::size_t before = fake_cuda().used_bytes;
  {
    CudaDevice device;
    device.evict_caches();
    EXPECT_GT(device.measure_clock_hz(), 0.0);
    Ledger ledger(device);
    const Buffer buffer = ledger.allocate(Category::input_output, 1 << 20, "a tensor");
    EXPECT_GE(device.bytes_in_use(), before + (1 << 20));
  }
  EXPECT_EQ(fake_cuda().used_bytes, before);
}

TEST_F(CudaDeviceFaults, AnOverrunEndsTheProgram) {
  EXPECT_DEATH(
      {
        CudaDevice device;
        Ledger ledger(device);
        const Buffer buffer = ledger.allocate(Category::input_output, 100, "a tensor");
        const unsigned char byte = 1;
        device.write(buffer.data() + 100, &byte, 1);
      },
      "something wrote past the end of a buffer \\(a tensor, 100 bytes\\)");
}

}  // namespace
}  // namespace xnorbench::cuda
