#include "core/memory.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>
#include <utility>

#include "core/device.h"
#include "core/error.h"

namespace xnorbench {
namespace {

constexpr std::byte guard_value{0xC5};

/// Size of the allocation of a buffer: the guard bytes follow its last byte directly.
std::size_t padded(std::size_t bytes) { return align_up(bytes + guard_size_bytes); }

/// A "Name:   123 kB" line of a /proc file, in bytes; 0 when absent.
std::size_t proc_bytes(const char* file, std::string_view name) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line))
    if (line.starts_with(name))
      return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  return 0;
}

std::size_t number_in(const char* file, std::size_t otherwise) {
  std::ifstream stream(file);
  std::size_t value = 0;
  return stream >> value ? value : otherwise;
}

}  // namespace

std::size_t available_bytes() {
  const std::size_t machine = proc_bytes("/proc/meminfo", "MemAvailable:");
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max", 0);  // "max" is no number
  if (limit == 0) return machine;
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return std::min(machine, limit > used ? limit - used : 1);
}

std::string_view to_string(Category category) {
  constexpr std::array<std::string_view, category_count> names{
      "weights_packed",    "weights_real",      "parameters",
      "input_output",      "activations_real",  "activations_bits",
      "workspace_columns", "workspace_library", "arena_gaps"};
  return names[static_cast<std::size_t>(category)];
}

std::size_t MemoryUse::total() const {
  return std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0});
}

MemoryUse& MemoryUse::operator+=(const MemoryUse& other) {
  for (std::size_t i = 0; i < category_count; ++i) bytes_[i] += other.bytes_[i];
  return *this;
}

void write_guard(Device& device, std::byte* end) {
  std::array<std::byte, guard_size_bytes> guard_bytes;
  guard_bytes.fill(guard_value);
  device.write(end, guard_bytes.data(), guard_size_bytes);
}

bool guard_intact(const Device& device, const std::byte* end) {
  std::array<std::byte, guard_size_bytes> found;
  device.read(found.data(), end, guard_size_bytes);
  return std::all_of(found.begin(), found.end(), [](std::byte b) { return b == guard_value; });
}

MemoryUse& MemoryUse::operator-=(const MemoryUse& other) {
  for (std::size_t i = 0; i < category_count; ++i) bytes_[i] -= other.bytes_[i];
  return *this;
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(ledger_, other.ledger_);
  std::swap(use_, other.use_);
  std::swap(what_, other.what_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Buffer::~Buffer() {
  if (!data_) return;
  if (was_overrun()) {
    fmt::print(stderr, "xnorbench: something wrote past the end of a buffer ({}, {} bytes)\n",
               what_, size_);
    std::abort();
  }
  ledger_->device().release(data_, padded(size_));
  ledger_->release(use_);
}

bool Buffer::was_overrun() const {
  try {
    return !guard_intact(ledger_->device(), data_ + size_);
  } catch (const std::exception&) {
    return false;  // the device has failed, and the error that says so is on its way
  }
}

Buffer Ledger::allocate(Category category, std::size_t bytes, std::string_view what) {
  return allocate(MemoryUse(category, bytes), what);
}

Buffer Ledger::allocate(const MemoryUse& use, std::string_view what) {
  const std::size_t bytes = use.total();
  if (bytes > std::numeric_limits<std::size_t>::max() / 2)
    throw InputError(fmt::format(
        "no memory for {}: {} bytes are more than any machine has; use a smaller shape or batch",
        what, bytes));
  std::byte* const data = device_.allocate(padded(bytes), what);
  try {
    write_guard(device_, data + bytes);
  } catch (...) {
    device_.release(data, padded(bytes));
    throw;
  }
  Buffer buffer;
  buffer.ledger_ = this;
  buffer.use_ = use;
  buffer.what_ = what;
  buffer.data_ = data;
  buffer.size_ = bytes;
  current_ += use;
  if (current_.total() > peak_.total()) peak_ = current_;
  return buffer;
}

Buffer Ledger::store_bytes(Category category, std::span<const std::byte> bytes,
                           std::string_view what) {
  Buffer buffer = allocate(category, bytes.size(), what);
  device_.write(buffer.data(), bytes.data(), bytes.size());
  return buffer;
}

void Ledger::fill_arena(const MemoryUse& use) {
  current_[Category::arena_gaps] -= use.total();
  current_ += use;
  if (current_.total() == peak_.total() &&
      current_[Category::arena_gaps] < peak_[Category::arena_gaps])
    peak_ = current_;
}

void Ledger::empty_arena(const MemoryUse& use) {
  current_ -= use;
  current_[Category::arena_gaps] += use.total();
}

void require_memory(std::size_t bytes, std::string_view what) {
  const std::size_t available = available_bytes();
  if (available != 0 && bytes > available)
    throw InputError(fmt::format(
        "no memory for {}: it needs {}, this machine has {} left; use a smaller shape or batch",
        what, format_mib(bytes), format_mib(available)));
}

std::size_t resident_bytes() {
  malloc_trim(0);
  return proc_bytes("/proc/self/smaps_rollup", "Rss:");
}

std::size_t peak_resident_bytes() { return proc_bytes("/proc/self/status", "VmHWM:"); }

bool begin_peak_resident() {
  std::ofstream stream("/proc/self/clear_refs");
  return bool(stream << "5" << std::flush);
}

std::string format_mib(std::size_t bytes) {
  return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

}  // namespace xnorbench
