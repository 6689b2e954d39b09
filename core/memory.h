// Every byte has an owner: buffers are taken from a ledger under a category.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xnorbench {

/// Who owns a byte. The order is the order in which tables print them.
enum class Category {
  weights_packed,     ///< binary weights in an implementation's form (a float form included)
  weights_real,       ///< weights of real-valued layers
  parameters,         ///< alpha, bias, batch norm, thresholds
  input_output,       ///< a network's input and output
  activations_real,   ///< float tensors between layers, float and byte packed inputs included
  activations_bits,   ///< binarised tensors between layers, packed
  workspace_columns,  ///< im2col buffers and the sums of one layer
  workspace_library,  ///< scratchpads that a library asks for
  arena_gaps,         ///< what the planner leaves between buffers
};
inline constexpr std::size_t category_count = 9;
std::string_view to_string(Category category);

/// Bytes by category.
class MemoryUse {
 public:
  MemoryUse() = default;
  MemoryUse(Category category, std::size_t bytes) { (*this)[category] = bytes; }
  std::size_t& operator[](Category category) { return bytes_[static_cast<std::size_t>(category)]; }
  std::size_t operator[](Category category) const {
    return bytes_[static_cast<std::size_t>(category)];
  }
  std::size_t total() const;
  MemoryUse& operator+=(const MemoryUse& other);
  MemoryUse& operator-=(const MemoryUse& other);
  friend MemoryUse operator-(MemoryUse a, const MemoryUse& b) { return a -= b; }
  bool operator==(const MemoryUse&) const = default;

 private:
  std::array<std::size_t, category_count> bytes_{};
};

class Device;
class Ledger;

Device& host_device();

/// Owned memory of one device, aligned to buffer_alignment, zero when new. Guard bytes behind it
/// are checked on release: a write past the end ends the program with a message.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// An address of the device. The host may use it only if the ledger is of the host.
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  friend class Ledger;
  bool was_overrun() const;

  Ledger* ledger_ = nullptr;
  MemoryUse use_;
  std::string what_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Counts the bytes in use on one device, by owner, and their peak. Must outlive its buffers.
class Ledger {
 public:
  explicit Ledger(Device& device = host_device()) : device_(device) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  Device& device() const { return device_; }

  /// Throws InputError that names `what` and the sizes when the device has too little memory left.
  Buffer allocate(Category category, std::size_t bytes, std::string_view what);
  /// One buffer whose bytes have several owners.
  Buffer allocate(const MemoryUse& use, std::string_view what);
  /// A buffer that holds `values`.
  template <typename T>
  Buffer store(Category category, std::span<const T> values, std::string_view what) {
    return store_bytes(category, std::as_bytes(values), what);
  }

  const MemoryUse& current() const { return current_; }
  /// Bytes by category at the moment when their sum was largest. Among equal sums, the moment when
  /// the arena was fullest.
  const MemoryUse& peak() const { return peak_; }

  /// A buffer inside an arena begins its life, or ends it: its bytes are taken from arena_gaps, or
  /// given back. The sum stays.
  void fill_arena(const MemoryUse& use);
  void empty_arena(const MemoryUse& use);

 private:
  friend class Buffer;
  Buffer store_bytes(Category category, std::span<const std::byte> bytes, std::string_view what);
  void release(const MemoryUse& use) { current_ -= use; }

  Device& device_;
  MemoryUse current_;
  MemoryUse peak_;
};

/// In bytes: every buffer, and every part of a buffer that is handed on, starts at a multiple of
/// it. It is a multiple of a cache line, and what cuBLAS asks of a workspace.
inline constexpr std::size_t buffer_alignment = 256;
constexpr std::size_t align_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// Bytes behind a buffer, of a fixed value that nobody may change.
inline constexpr std::size_t guard_size_bytes = 64;
void write_guard(Device& device, std::byte* end);
bool guard_intact(const Device& device, const std::byte* end);

/// Memory that the machine has left, or less if a control group (a container) allows less; 0 if
/// unknown.
std::size_t available_bytes();

/// Throws InputError unless `bytes` are left, as available_bytes() counts; `what` says for what.
void require_memory(std::size_t bytes, std::string_view what);

/// Bytes of the resident set of this process as the operating system sees it (Linux:
/// /proc/self/smaps_rollup), 0 if unknown. Freed heap memory is given back first, so that only what
/// is in use counts.
std::size_t resident_bytes();

/// The highest resident set since begin_peak_resident(), even if it lasted for a moment only
/// (Linux: VmHWM); 0 if unknown.
std::size_t peak_resident_bytes();
/// Starts that measurement anew. False if the system does not let a process do so.
bool begin_peak_resident();

/// "1.25 MiB": for messages and tables.
std::string format_mib(std::size_t bytes);

}  // namespace xnorbench
