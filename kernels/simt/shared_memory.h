// The shared memory of a block: its arrays, their first values, and the guard bytes around them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/simt/execution.h"

namespace xnorbench::simt {

/// One block runs at a time, so the next one gets the same memory.
class SharedMemory {
 public:
  /// The array's memory; adds the array if it is new. Null if there is no room for it.
  void* find_or_add(const SharedArray& array);
  /// For a new block: fills each array with a byte of its own. So a read of memory that the block
  /// did not write shows, and does not cancel out between two arrays.
  void refill();
  /// An array with something written just before or past it. AddressSanitizer reports such an
  /// access itself, with its line.
  const SharedArray* overrun() const;

 private:
  class Slot {
   public:
    Slot(const SharedArray& array, std::byte fresh_value);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    const SharedArray& array() const { return array_; }
    std::byte* data() const;
    void refill();
    bool overrun() const;

   private:
    const SharedArray& array_;
    std::byte fresh_value_;
    std::byte* memory_;  ///< guard, data, guard
  };

  std::vector<std::unique_ptr<Slot>> slots_;
  std::size_t bytes_ = 0;
};

}  // namespace xnorbench::simt
