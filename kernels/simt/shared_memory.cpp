#include "kernels/simt/shared_memory.h"

#include <algorithm>
#include <new>

#include "kernels/simt/run.h"
#include "kernels/simt/sanitizer_hooks.h"

namespace xnorbench::simt {
namespace {

// nvcc's side of XNORBENCH_SHARED aligns to 16. The guard bytes make it no more here, so that code
// which needs more is found.
constexpr std::size_t array_alignment = 16;
constexpr std::align_val_t memory_alignment{32};
constexpr std::size_t guard_bytes = 80;

constexpr std::byte guard_value{0xA5};
// What is in the first array at first; in the next one 0xC2, and so on.
constexpr unsigned first_fresh_value = 0xC1;
constexpr unsigned fresh_values = 15;

}  // namespace

SharedMemory::Slot::Slot(const SharedArray& array, std::byte fresh_value)
    : array_(array), fresh_value_(fresh_value) {
  memory_ = static_cast<std::byte*>(
      ::operator new(guard_bytes + array.bytes + guard_bytes, memory_alignment));
  std::fill_n(memory_, guard_bytes, guard_value);
  std::fill_n(data() + array.bytes, guard_bytes, guard_value);
  sanitizer::poison(memory_, guard_bytes);
  sanitizer::poison(data() + array.bytes, guard_bytes);
  refill();
}

SharedMemory::Slot::~Slot() {
  const sanitizer::IgnoreAccesses ignore;
  sanitizer::unpoison(memory_, guard_bytes + array_.bytes + guard_bytes);
  ::operator delete(memory_, memory_alignment);
}

std::byte* SharedMemory::Slot::data() const { return memory_ + guard_bytes; }

void SharedMemory::Slot::refill() { std::fill_n(data(), array_.bytes, fresh_value_); }

bool SharedMemory::Slot::overrun() const {
  const auto changed = [](std::byte value) { return value != guard_value; };
  const std::byte* const end = data() + array_.bytes;
  return std::any_of(memory_, memory_ + guard_bytes, changed) ||
         std::any_of(end, end + guard_bytes, changed);
}

void* SharedMemory::find_or_add(const SharedArray& array) {
  const sanitizer::IgnoreAccesses ignore;
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const auto& slot) { return &slot->array() == &array; });
  if (found != slots_.end()) {
    return (*found)->data();
  }
  bytes_ += (array.bytes + array_alignment - 1) / array_alignment * array_alignment;
  if (bytes_ > max_shared_bytes) {
    return nullptr;
  }
  const std::byte fresh_value{
      static_cast<unsigned char>(first_fresh_value + slots_.size() % fresh_values)};
  slots_.push_back(std::make_unique<Slot>(array, fresh_value));
  return slots_.back()->data();
}

void SharedMemory::refill() {
  const sanitizer::IgnoreAccesses ignore;
  for (const auto& slot : slots_) {
    slot->refill();
  }
}

const SharedArray* SharedMemory::overrun() const {
  const auto found =
      std::find_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->overrun(); });
  return found == slots_.end() ? nullptr : &(*found)->array();
}

}  // namespace xnorbench::simt
