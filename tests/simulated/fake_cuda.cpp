// Stands in for the CUDA runtime: device memory is the host's, a stream has done its work when a
// call returns, and kernels run as kernels/simt runs them (simulated_order.cpp says in which
// order).
#include "tests/simulated/fake_cuda.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "core/memory.h"
#include "kernels/probe.h"

extern "C" {
// Asked at run time: only kernels may be sanitised.
__attribute__((weak)) void __asan_poison_memory_region(const volatile void* from,
                                                       std::size_t bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* from,
                                                         std::size_t bytes);
}

namespace xnorbench::cuda {
namespace {

std::map<void*, std::size_t> allocations;

cudaError_t allocate(void** data, std::size_t bytes) {
  FakeCuda& fake = fake_cuda();
  if (bytes > fake.memory_bytes - fake.used_bytes)
    return fake.pending_error = cudaErrorMemoryAllocation;
  constexpr std::size_t alignment = 256;  // as on a device
  *data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  std::memset(*data, 0xCD, bytes);  // new memory holds anything
  allocations[*data] = bytes;
  fake.used_bytes += bytes;
  return cudaSuccess;
}

cudaError_t release(void* data) {
  const auto found = allocations.find(data);
  if (found == allocations.end()) return cudaErrorInvalidValue;
  fake_cuda().used_bytes -= found->second;
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(data, found->second);
  std::free(data);
  allocations.erase(found);
  return cudaSuccess;
}

cudaError_t take_error() {
  FakeCuda& fake = fake_cuda();
  return fake.error_stays ? fake.pending_error : std::exchange(fake.pending_error, cudaSuccess);
}

/// A guard bytes is nobody's to read: a kernel's read beyond its buffer is then a fault under
/// AddressSanitizer.
void poison_guard(const void* written, std::size_t bytes) {
  if (bytes == guard_size_bytes && __asan_poison_memory_region &&
      guard_intact(host_device(), static_cast<const std::byte*>(written)))
    __asan_poison_memory_region(written, bytes);
}

}  // namespace

FakeCuda& fake_cuda() {
  static FakeCuda fake;
  return fake;
}

/// kernels/load_kernels.cu is nvcc's.
cudaError_t load_kernels() {
  set_order_from_environment();
  return fake_cuda().kernels_error;
}

}  // namespace xnorbench::cuda

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
};

using namespace xnorbench::cuda;  // NOLINT: C functions outside of any namespace follow

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_cuda().devices;
  return fake_cuda().count_error;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "the host");
  properties->major = 8;
  properties->multiProcessorCount = 1;  // so that few blocks are many and large tiles are taken
  properties->l2CacheSize = 1 << 16;
  properties->totalGlobalMem = fake_cuda().memory_bytes;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = fake_cuda().has_memory_pools;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory"
         : error == cudaErrorNoDevice       ? "no CUDA-capable device is detected"
                                            : "an error";
}
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfTheStandIn"; }
cudaError_t cudaGetLastError() { return take_error(); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  static char the_pool;
  *pool = reinterpret_cast<cudaMemPool_t>(&the_pool);
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return allocate(data, bytes);
}
cudaError_t cudaFreeAsync(void* data, cudaStream_t) { return release(data); }
cudaError_t cudaMalloc(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaFree(void* data) { return release(data); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = fake_cuda().memory_bytes;
  *free = *total - fake_cuda().used_bytes;
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
  std::memset(data, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  if (const cudaError_t error = take_error(); error != cudaSuccess) return error;
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(kind == cudaMemcpyHostToDevice ? to : from, bytes);
  if (bytes > 0) std::memcpy(to, from, bytes);
  if (kind == cudaMemcpyHostToDevice) poison_guard(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  static char the_stream;
  *stream = reinterpret_cast<cudaStream_t>(&the_stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return take_error(); }
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st{};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return take_error(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return cudaSuccess;
}

}  // extern "C"
