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
  /// it through write() and read(). Throws InputError that names `what` and the sizes when there is
  /// not that much left.
  virtual std::byte* allocate(std::size_t bytes, std::string_view what) = 0;
  virtual void release(std::byte* data, std::size_t bytes) noexcept = 0;
  /// Copy from and to the host, after all work before. The host's bytes may change or be read at
  /// once.
  virtual void write(void* to, const void* host, std::size_t bytes) = 0;
  virtual void read(void* host, const void* from, std::size_t bytes) const = 0;
  /// Bytes in use as the operating system (this process' resident set) or the driver (the whole
  /// device) sees it.
  virtual std::size_t bytes_in_use() = 0;

  /// Runs `work`, which may return before it is done, to its end: ns on the device's own clock.
  virtual double time_ns(const std::function<void()>& work) = 0;
  /// Shorter samples would show the resolution of that clock: they are made of several calls.
  virtual double shortest_sample_ns() const = 0;
  /// Core clock in Hz, measured in about a millisecond.
  virtual double measure_clock_hz() = 0;
  /// Leaves nothing that is timed next in the last-level cache.
  virtual void evict_caches() = 0;

  /// `cpu` has no meaning on a GPU.
  virtual std::unique_ptr<const ElementwiseOperations> make_elementwise(const CpuShare& cpu) = 0;
};

/// The host: memory of this process, work on its CPUs.
Device& host_device();

}  // namespace xnorbench
