// Where an implementation's memory is and its work runs: the host, or a GPU.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "core/elementwise.h"
#include "core/isa.h"

namespace xnorbench {

class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Zeroed memory, aligned to buffer_alignment. The address is the device's own: the host reaches
  /// it by write() and read(). Throws InputError that names `what` and the sizes when too little is
  /// left.
  virtual std::byte* allocate(std::size_t bytes, std::string_view what) = 0;
  virtual void release(std::byte* data, std::size_t bytes) noexcept = 0;
  /// Copy from and to the host, after all work that was started before. When the call returns the
  /// copy is done.
  virtual void write(void* to, const void* host, std::size_t bytes) = 0;
  virtual void read(void* host, const void* from, std::size_t bytes) const = 0;
  /// Bytes in use as the operating system (this process' resident set) or the driver (the whole
  /// device) sees it.
  virtual std::size_t bytes_in_use() = 0;

  /// Nanoseconds, on the device's own clock, from the start of `work` to its end. `work` may return
  /// before it is done.
  virtual double time_ns(const std::function<void()>& work) = 0;
  /// Samples shorter than this would show that clock's resolution, so several calls make one.
  virtual double shortest_sample_ns() const = 0;
  /// The core clock in Hz. Measuring it takes about a millisecond.
  virtual double measure_clock_hz() = 0;
  /// Empties the last-level cache of what is timed next.
  virtual void evict_caches() = 0;

  /// `cpu` has no meaning on a GPU.
  virtual std::unique_ptr<const ElementwiseOperations> make_elementwise(const CpuShare& cpu) = 0;
};

/// The host: memory of this process, work on its CPUs.
Device& host_device();

}  // namespace xnorbench
