// Padding for kernels that know only bits. Padding by -1 and +1 is words of ones or zeros.
//
// A kernel that knows only +1 and -1 takes a true 0 outside the tensor as +1, and the sum is
// corrected: for each such tap the sum of channel o changes by 2 * pop(w[o][tap]) - channels. Which
// taps are outside depends on how near the pixel is to an edge. Pixels with the same taps outside
// are one class, and the change of each class is computed once. So only border pixels pay, one
// addition a channel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/epilogue.h"
#include "core/memory.h"
#include "core/packed_input.h"
#include "core/problem.h"

namespace xnorbench {

/// The packed words of one tap of a group outside the tensor. A true 0 is +1.
std::vector<std::uint64_t> padding_words(const PackedFormat& format, PadValue value);

class ZeroPadding {
 public:
  /// Computes nothing for a problem without zero padding. `weights` as in Weights::values; `sums`:
  /// the type of the sums that are corrected.
  ZeroPadding(const ConvProblem& problem, std::span<const float> weights, Ledger& ledger,
              SumType sums = SumType::i32);

  explicit operator bool() const { return table_.data() != nullptr; }

  /// Corrects the sums of `columns` output pixels side by side, from (y, x) on. Skips pixels with
  /// every tap inside all at once. Only for a problem with zero padding.
  template <typename Sum>
  void correct(std::int64_t y, std::int64_t x, std::int64_t columns, Sum* sums) const {
    const std::int64_t row = row_class_[static_cast<std::size_t>(y)];
    for (std::int64_t i = 0; i < columns; ++i) {
      if (row == whole_rows_ && x + i >= whole_begin_ && x + i < whole_end_) i = whole_end_ - x;
      if (i >= columns) return;
      const std::int64_t column = column_class_[static_cast<std::size_t>(x + i)];
      const Sum* const changes = table_.as<Sum>() + (row * columns_ + column) * channels_;
      Sum* const to = sums + i * channels_;
      for (std::int64_t o = 0; o < channels_; ++o) to[o] = static_cast<Sum>(to[o] + changes[o]);
    }
  }

 private:
  std::int64_t channels_ = 0;
  std::int64_t columns_ = 0;      // classes of columns
  std::int64_t whole_rows_ = -1;  // the class of rows with every tap inside, if there is one
  std::int64_t whole_begin_ = -1, whole_end_ = -1;      // the columns with every tap inside
  std::vector<std::int64_t> row_class_, column_class_;  // of each output row and column
  Buffer table_;                                        // row class x column class x channel
};

}  // namespace xnorbench
