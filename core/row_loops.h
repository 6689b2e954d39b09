// Loops over the pixels and channels of a tensor: what surrounds the sums of a binary layer.
// Written once (core/row_loops_body.h) and compiled for each instruction set; every one gives the
// same bits.
//
// Each takes some pixels at once, a stretch of a row or a tile, so that a call costs little beside
// its work. Where a loop is in place or a source may be the destination, it says so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch_norm.h"
#include "core/isa.h"
#include "core/problem.h"
#include "core/tensor.h"

namespace xnorbench {

/// Pixels by channels.
struct Extent {
  std::int64_t pixels = 0, channels = 0;
};

/// Threshold of each channel as two arrays (SumThreshold), in a type that holds the sums.
template <typename Limit>
struct ThresholdView {
  const Limit* limit = nullptr;
  const Limit* flip = nullptr;
};

/// Where packed signs go: channel c of a pixel in bit c % 8 of byte c / 8 from `data` on, 1 =
/// negative. Whole words are written, and of the last one, if it is not full, `tail_bytes` (unused
/// bits 0).
struct BitRows {
  std::byte* data = nullptr;
  std::int64_t stride = 0;  ///< bytes from pixel to pixel
  std::int64_t tail_bytes = 8;
};

/// Loops over dense sums of one type. Negative is (sum ^ flip) < limit. `stride`: elements from
/// pixel to pixel.
template <typename Sum, typename Limit>
struct SumLoops {
  /// The sums' stride is given since a group's channels may be part of a pixel's.
  void (*bits)(Extent extent, const Sum* sums, std::int64_t stride, ThresholdView<Limit> thresholds,
               BitRows out);
  void (*floats)(Extent extent, const Sum* sums, ThresholdView<Limit> thresholds, float plus,
                 float minus, float* signs);
  void (*bytes)(Extent extent, const Sum* sums, ThresholdView<Limit> thresholds, std::uint8_t plus,
                std::uint8_t minus, std::uint8_t* signs);
  /// layer_value(alpha, sum, bias), plus addend unless that is without data; addend may be
  /// `values`. `bias` null: zeros.
  void (*values)(Extent extent, const Sum* sums, const float* alpha, const float* bias,
                 ConstFloatTensor addend, FloatTensor values);
};

struct RowLoops {
  SumLoops<std::int16_t, std::int16_t> i16;
  SumLoops<std::int32_t, std::int32_t> i32;
  SumLoops<float, std::int32_t> f32;  ///< exact integers

  // sign(affine(x)) or sign(x), in the three forms of a packed input.
  void (*sign_bits)(Extent extent, ConstFloatTensor x, AffineView affine, ZeroRule rule,
                    BitRows out);
  void (*sign_floats)(Extent extent, ConstFloatTensor x, AffineView affine, ZeroRule rule,
                      float plus, float minus, float* signs, std::int64_t stride);
  void (*sign_bytes)(Extent extent, ConstFloatTensor x, AffineView affine, ZeroRule rule,
                     std::uint8_t plus, std::uint8_t minus, std::uint8_t* signs,
                     std::int64_t stride);

  /// y = x; nothing where they are the same.
  void (*copy)(Extent extent, ConstFloatTensor x, FloatTensor y);
  // In place on y.
  void (*affine)(Extent extent, AffineView affine, FloatTensor y);
  void (*relu)(Extent extent, float slope, FloatTensor y);
  void (*scale)(Extent extent, float factor, FloatTensor y);
  /// y = y + x
  void (*add)(Extent extent, ConstFloatTensor x, FloatTensor y);
  /// y = x > y ? x : y
  void (*larger)(Extent extent, ConstFloatTensor x, FloatTensor y);
};

const RowLoops& row_loops(Isa isa);

}  // namespace xnorbench
