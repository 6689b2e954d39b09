#include "kernels/cuda_device.h"

#include <cublas_v2.h>
#include <cudnn.h>
#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "core/error.h"
#include "core/memory.h"
#include "kernels/check.h"
#include "kernels/cuda_libraries.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

/// The pool of all the program's device memory. It keeps freed blocks until it is trimmed. So
/// repetitions do not wait for the driver, and the driver's figure of memory in use can still be
/// compared with a ledger.
cudaMemPool_t create_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "memory pool");
  std::uint64_t kept_bytes = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes), "memory pool");
  return pool;
}

}  // namespace

CudaDevice::CudaDevice() {
  check(cudaSetDevice(0), "device 0");
  check(cudaGetDeviceProperties(&properties_, 0), "properties");
  pool_ = create_pool();
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
  check(cudaEventCreate(&begin_), "event");
  check(cudaEventCreate(&end_), "event");
  void* elapsed = nullptr;
  check(cudaMalloc(&elapsed, sizeof *elapsed_), "memory of the clock");
  elapsed_ = static_cast<long long*>(elapsed);
}

CudaDevice::~CudaDevice() {
  // Errors are ignored: nobody is left to report them to.
  if (cublas_) cublasDestroy(cublas_);
  if (cudnn_) cudnnDestroy(cudnn_);
  if (evicted_) cudaFree(evicted_);
  cudaFree(elapsed_);
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
  cudaStreamDestroy(stream_);
  cudaMemPoolDestroy(pool_);
}

std::byte* CudaDevice::allocate(std::size_t bytes, std::string_view what) {
  void* data = nullptr;
  cudaError_t error = cudaMallocFromPoolAsync(&data, bytes, pool_, stream_);
  if (error == cudaErrorMemoryAllocation) {
    // Freed blocks may still be in use by the stream, or kept in pieces that are too small.
    cudaGetLastError();  // or the next launch would report this error
    check(cudaStreamSynchronize(stream_), "work on the device");
    check(cudaMemPoolTrimTo(pool_, 0), "memory pool");
    error = cudaMallocFromPoolAsync(&data, bytes, pool_, stream_);
  }
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "free memory");
    throw InputError(fmt::format(
        "no memory for {}: it needs {}, the GPU has {} of {} left; use a smaller shape or batch",
        what, format_mib(bytes), format_mib(free), format_mib(total)));
  }
  check(error, "memory");
  if (const cudaError_t failed = cudaMemsetAsync(data, 0, bytes, stream_); failed != cudaSuccess) {
    cudaFreeAsync(data, stream_);
    check(failed, "clearing memory");
  }
  return static_cast<std::byte*>(data);
}

void CudaDevice::release(std::byte* data, std::size_t) noexcept {
  // Fails only if another call has failed, and that one reports it.
  cudaFreeAsync(data, stream_);
}

void CudaDevice::write(void* to, const void* host, std::size_t bytes) {
  if (bytes > 0)
    check(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, stream_), "copy to the device");
  check(cudaStreamSynchronize(stream_), "work on the device");  // faults of kernels show here
}

void CudaDevice::read(void* host, const void* from, std::size_t bytes) const {
  if (bytes > 0)
    check(cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
  check(cudaStreamSynchronize(stream_), "work on the device");
}

std::size_t CudaDevice::bytes_in_use() {
  check(cudaStreamSynchronize(stream_), "work on the device");
  check(cudaMemPoolTrimTo(pool_, 0), "memory pool");
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "free memory");
  return total - free;
}

double CudaDevice::time_ns(const std::function<void()>& work) {
  // Keeps the device busy while the host launches. An idle device would record the first event
  // before the first kernel arrives.
  constexpr long long head_start_cycles = 100'000;
  launch_clock(head_start_cycles, elapsed_, stream_);
  check(cudaEventRecord(begin_, stream_), "event");
  work();
  check(cudaEventRecord(end_, stream_), "event");
  check(cudaEventSynchronize(end_), "work on the device");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin_, end_), "event");
  return static_cast<double>(milliseconds) * 1e6;
}

double CudaDevice::measure_clock_hz() {
  constexpr long long cycles = 2'000'000;
  const double ns = time_ns([&] { launch_clock(cycles, elapsed_, stream_); });
  long long measured = 0;
  read(&measured, elapsed_, sizeof measured);
  return static_cast<double>(measured) / (ns * 1e-9);
}

void CudaDevice::evict_caches() {
  const std::size_t bytes = 2 * static_cast<std::size_t>(properties_.l2CacheSize);
  if (!evicted_) check(cudaMalloc(&evicted_, bytes), "memory to evict the L2 cache");
  check(cudaMemsetAsync(evicted_, 1, bytes, stream_), "evicting the L2 cache");
  check(cudaStreamSynchronize(stream_), "evicting the L2 cache");
}

std::string CudaDevice::isa() const {
  return fmt::format("sm_{}{}", properties_.major, properties_.minor);
}

cublasContext* CudaDevice::cublas() {
  if (!cublas_) cublas_ = create_cublas(stream_);
  return cublas_;
}

cudnnContext* CudaDevice::cudnn() {
  if (!cudnn_) cudnn_ = create_cudnn(stream_);
  return cudnn_;
}

std::size_t CudaDevice::cublas_workspace_bytes() const {
  // What cuBLAS itself takes by default: 32 MiB since Hopper, 4 MiB before (its documentation,
  // cublasSetWorkspace).
  return std::size_t{properties_.major >= 9 ? 32U : 4U} << 20;
}

}  // namespace xnorbench::cuda
