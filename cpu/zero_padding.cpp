#include "cpu/zero_padding.h"

#include <algorithm>

#include "core/sign.h"

namespace xnorbench {
namespace {

/// Taps begin .. end - 1 of one axis are inside the tensor.
struct Range {
  std::int64_t begin = 0, end = 0;
  bool operator==(const Range&) const = default;
};

struct Classes {
  std::vector<Range> ranges;
  std::vector<std::int64_t> of_position;
};

Classes classify(std::int64_t outputs, std::int64_t size, std::int64_t kernel, std::int64_t stride,
                 std::int64_t pad, std::int64_t dilation) {
  Classes classes;
  for (std::int64_t i = 0; i < outputs; ++i) {
    Range range;
    const std::int64_t first = i * stride - pad;
    while (range.begin < kernel && first + range.begin * dilation < 0) ++range.begin;
    range.end = range.begin;
    while (range.end < kernel && first + range.end * dilation < size) ++range.end;
    const auto found = std::find(classes.ranges.begin(), classes.ranges.end(), range);
    classes.of_position.push_back(found - classes.ranges.begin());
    if (found == classes.ranges.end()) classes.ranges.push_back(range);
  }
  return classes;
}

std::int64_t find_whole(const Classes& classes, std::int64_t kernel) {
  const auto found = std::find(classes.ranges.begin(), classes.ranges.end(), Range{0, kernel});
  return found == classes.ranges.end() ? -1 : found - classes.ranges.begin();
}

/// A summed-area table for one output channel: the changes of all taps above and to the left of
/// (ky, kx).
class TapSums {
 public:
  TapSums(const ConvShape& s, const float* weights, ZeroRule rule)
      : width_(s.kernel_width + 1),
        sums_(static_cast<std::size_t>((s.kernel_height + 1) * width_)) {
    for (std::int64_t ky = 0; ky < s.kernel_height; ++ky)
      for (std::int64_t kx = 0; kx < s.kernel_width; ++kx) {
        std::int64_t change = -s.group_in_channels();
        for (std::int64_t c = 0; c < s.group_in_channels(); ++c)
          change += 2 * is_negative(weights[c * s.taps() + ky * s.kernel_width + kx], rule);
        at(ky + 1, kx + 1) = change + at(ky, kx + 1) + at(ky + 1, kx) - at(ky, kx);
      }
  }

  std::int64_t outside(const ConvShape& s, const Range& rows, const Range& columns) {
    const std::int64_t inside = at(rows.end, columns.end) - at(rows.begin, columns.end) -
                                at(rows.end, columns.begin) + at(rows.begin, columns.begin);
    return at(s.kernel_height, s.kernel_width) - inside;
  }

 private:
  std::int64_t& at(std::int64_t ky, std::int64_t kx) {
    return sums_[static_cast<std::size_t>(ky * width_ + kx)];
  }

  std::int64_t width_;
  std::vector<std::int64_t> sums_;
};

}  // namespace

std::vector<std::uint64_t> padding_words(const PackedFormat& format, PadValue value) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(format.words_per_group()));
  const bool minus = value == PadValue::minus_one;
  for (std::int64_t c = 0; c < format.group_channels(); ++c)
    words[static_cast<std::size_t>(c / 64)] |= static_cast<std::uint64_t>(minus) << (c % 64);
  return words;
}

ZeroPadding::ZeroPadding(const ConvProblem& problem, std::span<const float> weights, Ledger& ledger,
                         SumType sum_type)
    : channels_(problem.shape.out_channels) {
  const ConvShape& s = problem.shape;
  if (problem.pad_value != PadValue::zero || (s.pad_height == 0 && s.pad_width == 0)) return;
  Classes rows = classify(s.out_height(), s.in_height, s.kernel_height, s.stride_height,
                          s.pad_height, s.dilation_height);
  Classes columns = classify(s.out_width(), s.in_width, s.kernel_width, s.stride_width, s.pad_width,
                             s.dilation_width);
  columns_ = static_cast<std::int64_t>(columns.ranges.size());
  whole_rows_ = find_whole(rows, s.kernel_height);
  table_ = ledger.allocate(Category::parameters,
                           rows.ranges.size() * columns.ranges.size() *
                               static_cast<std::size_t>(channels_) * size_of(sum_type),
                           "zero padding corrections");
  for (std::int64_t o = 0; o < channels_; ++o) {
    TapSums sums(s, weights.data() + o * s.k(), problem.zero_rule);
    std::int64_t i = o;
    for (const Range& row : rows.ranges)
      for (const Range& column : columns.ranges) {
        const std::int64_t change = sums.outside(s, row, column);
        if (sum_type == SumType::i16)
          table_.as<std::int16_t>()[i] = static_cast<std::int16_t>(change);
        else
          table_.as<std::int32_t>()[i] = static_cast<std::int32_t>(change);
        i += channels_;
      }
  }
  if (const std::int64_t whole = find_whole(columns, s.kernel_width); whole >= 0) {
    const auto& of_column = columns.of_position;
    whole_begin_ = std::find(of_column.begin(), of_column.end(), whole) - of_column.begin();
    whole_end_ = whole_begin_ + std::count(of_column.begin(), of_column.end(), whole);
  }
  row_class_ = std::move(rows.of_position);
  column_class_ = std::move(columns.of_position);
}

}  // namespace xnorbench
