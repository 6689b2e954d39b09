// Padding for kernels that know only bits. -1 and +1 are words of ones or zeros.
//
// True zero padding for kernels that know only +1 and -1. A tap outside the tensor is taken as +1
// and taken back: the sum of channel o must change by 2 * pop(w[o][tap]) - channels for each such
// tap. Which taps are outside depends on how near a pixel is to an edge; the changes of all taps
// together are computed once for each such class of pixels, so that only border pixels pay, one
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

/// One tap of a group outside the tensor, packed; a true 0 as +1.
std::vector<std::uint64_t> padding_words(const PackedFormat& format, PadValue value);

class ZeroPadding {
 public:
  /// Nothing is computed for a problem without zero padding. `weights` as in Weights::values;
  /// `sums`: what is corrected.
  ZeroPadding(const ConvProblem& problem, std::span<const float> weights, Ledger& ledger,
              SumType sums = SumType::i32);

  explicit operator bool() const { return table_.data() != nullptr; }

  /// Of a problem with zero padding: corrects the sums of `columns` output pixels side by side,
  /// from (y, x) on; those with every tap inside are passed over at once.
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
  std::int64_t channels_ = 0, columns_ = 0;  // columns_: classes
  std::int64_t whole_rows_ = -1;             // the class with every tap inside, if there is one
  std::int64_t whole_begin_ = -1,
               whole_end_ = -1;  // columns of such a class, which are side by side
  std::vector<std::int64_t> row_class_, column_class_;  // of each output row and column
  Buffer table_;                                        // row class x column class x channel
};

}  // namespace xnorbench
