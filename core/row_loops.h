// Loops over the channels of one pixel: what surrounds the sums of a binary layer. Written once
// (core/row_loops_body.h) and compiled for each instruction set; every one gives the same bits.
#pragma once

#include <cstdint>

#include "core/batch_norm.h"
#include "core/isa.h"
#include "core/problem.h"

namespace xnorbench {

/// Threshold of each channel as two arrays (SumThreshold), in a type that holds the sums.
template <typename Limit>
struct ThresholdView {
  const Limit* limit = nullptr;
  const Limit* flip = nullptr;
};

/// Loops over sums of one type. Negative is (sum ^ flip) < limit.
template <typename Sum, typename Limit>
struct SumLoops {
  /// Bit c % 64 of word c / 64, 1 = negative; unused bits 0.
  void (*bits)(std::int64_t channels, const Sum* sums, ThresholdView<Limit> thresholds, std::uint64_t* words);
  void (*floats)(std::int64_t channels, const Sum* sums, ThresholdView<Limit> thresholds, float plus, float minus,
                 float* signs);
  void (*bytes)(std::int64_t channels, const Sum* sums, ThresholdView<Limit> thresholds, std::uint8_t plus,
                std::uint8_t minus, std::uint8_t* signs);
  /// layer_value(alpha, sum, bias), plus addend unless that is null; addend may be `values`.
  void (*values)(std::int64_t channels, const Sum* sums, const float* alpha, const float* bias, const float* addend,
                 float* values);
};

struct RowLoops {
  SumLoops<std::int16_t, std::int16_t> i16;
  SumLoops<std::int32_t, std::int32_t> i32;
  SumLoops<float, std::int32_t> f32;  ///< exact integers

  // sign(affine(x)) or sign(x), in the three forms of an operand.
  void (*sign_bits)(std::int64_t channels, const float* x, AffineView affine, ZeroRule rule, std::uint64_t* words);
  void (*sign_floats)(std::int64_t channels, const float* x, AffineView affine, ZeroRule rule, float plus,
                      float minus, float* signs);
  void (*sign_bytes)(std::int64_t channels, const float* x, AffineView affine, ZeroRule rule, std::uint8_t plus,
                     std::uint8_t minus, std::uint8_t* signs);

  // In place on y.
  void (*affine)(std::int64_t channels, AffineView affine, float* y);
  void (*relu)(std::int64_t channels, float slope, float* y);
  void (*scale)(std::int64_t channels, float factor, float* y);
  /// y = y + x
  void (*add)(std::int64_t channels, const float* x, float* y);
  /// y = x > y ? x : y
  void (*larger)(std::int64_t channels, const float* x, float* y);
};

const RowLoops& row_loops(Isa isa);

}  // namespace xnorbench
