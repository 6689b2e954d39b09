// Loops over the pixels and channels of a tensor: what surrounds the sums of a binary layer.
// They are written once (core/row_loops_body.h) and compiled for each instruction set. All give the
// same bits.
//
// Each takes several pixels at once, part of a row or a tile, so that a call costs little beside
// its work. A source is never the destination unless the loop says so.
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

/// The thresholds of all channels (SumThreshold) as two arrays, in a type that holds the sums.
template <typename Limit>
struct ThresholdView {
  const Limit* limit = nullptr;
  const Limit* flip = nullptr;
};

/// Where packed signs go. Channel c of a pixel is bit c % 8 of byte c / 8 from `data` on; 1 means
/// negative. Words of 64 channels are written whole. If the last word is not full, its first
/// `tail_bytes` bytes are written, with 0 in the unused bits.
struct BitRows {
  std::byte* data = nullptr;
  std::int64_t stride = 0;  ///< bytes from pixel to pixel
  std::int64_t tail_bytes = 8;
};

/// Loops over the sums of one type. A sign is negative if (sum ^ flip) < limit. The sums of a pixel
/// follow those of the one before, except in `bits`.
template <typename Sum, typename Limit>
struct SumLoops {
  /// `stride`: elements from pixel to pixel, since a group's channels may be part of a pixel's.
  void (*bits)(Extent extent, const Sum* sums, std::int64_t stride, ThresholdView<Limit> thresholds,
               BitRows out);
  void (*floats)(Extent extent, const Sum* sums, ThresholdView<Limit> thresholds, float plus,
                 float minus, float* signs);
  void (*bytes)(Extent extent, const Sum* sums, ThresholdView<Limit> thresholds, std::uint8_t plus,
                std::uint8_t minus, std::uint8_t* signs);
  /// values = layer_value(alpha, sum, bias), plus `addend` if it has data. `addend` may be
  /// `values`. A null `bias` means zeros.
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

  /// y = x. Does nothing if they are the same tensor.
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
