// The host as a device.
#include <fmt/format.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/device.h"
#include "core/error.h"
#include "core/machine.h"
#include "core/memory.h"
#include "cpu/host_clock.h"
#include "cpu/host_elementwise.h"

namespace xnorbench {
namespace {

// Below this a mapping of its own would waste most of its last page.
constexpr std::size_t mapping_threshold = std::size_t{256} << 10;

class HostDevice final : public Device {
 public:
  /// Large blocks are mapped. Their pages count in the resident set once they are touched, and
  /// leave it when freed, so that it can be compared with a ledger.
  std::byte* allocate(std::size_t bytes, std::string_view what) override {
    void* data = nullptr;
    if (bytes >= mapping_threshold) {
      require_memory(bytes, what);
      data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (data == MAP_FAILED) data = nullptr;
    } else if ((data = std::aligned_alloc(buffer_alignment, align_up(bytes)))) {
      std::memset(data, 0, bytes);
    }
    if (!data)
      throw InputError(
          fmt::format("no memory for {}: {} could not be allocated", what, format_mib(bytes)));
    return static_cast<std::byte*>(data);
  }
  void release(std::byte* data, std::size_t bytes) noexcept override {
    if (bytes >= mapping_threshold)
      munmap(data, bytes);
    else
      std::free(data);
  }
  void write(void* to, const void* host, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, host, bytes);
  }
  void read(void* host, const void* from, std::size_t bytes) const override {
    if (bytes > 0) std::memcpy(host, from, bytes);
  }
  std::size_t bytes_in_use() override { return resident_bytes(); }

  double time_ns(const std::function<void()>& work) override {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
        .count();
  }
  // Reading the clock twice takes about 50 ns, a quarter of a percent of such a sample.
  double shortest_sample_ns() const override { return 20'000; }
  double measure_clock_hz() override { return measure_host_clock_hz(); }
  void evict_caches() override {
    if (evicted_.empty()) {
      constexpr std::int64_t unknown_size = std::int64_t{64} << 20;
      const std::int64_t last_level = this_machine().l3_bytes;
      evicted_.resize(static_cast<std::size_t>(2 * (last_level > 0 ? last_level : unknown_size)) /
                      sizeof(std::uint64_t));
    }
    constexpr std::size_t words_per_line = 8;
    for (std::size_t i = 0; i < evicted_.size(); i += words_per_line) ++evicted_[i];
    asm volatile("" : : "r"(evicted_.data()) : "memory");
  }

  std::unique_ptr<const ElementwiseOperations> make_elementwise(const CpuShare& cpu) override {
    return std::make_unique<HostElementwiseOperations>(cpu);
  }

 private:
  std::vector<std::uint64_t> evicted_;  // twice the last-level cache
};

}  // namespace

Device& host_device() {
  static HostDevice device;
  return device;
}

}  // namespace xnorbench
