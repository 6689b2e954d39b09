// The loops of core/row_loops.h for the instruction set that the including file is compiled for.
// All functions are in an unnamed namespace (core/isa.h says why).
//
// Loops whose source may be the destination work in place. If a source might or might not be the
// destination, the compiler would have to go element by element.
#pragma once

#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "core/row_loops.h"
#include "core/sign.h"

namespace xnorbench {
namespace {

template <typename T>
using Batch = xsimd::batch<T>;

/// One bit a lane, lane 0 lowest.
template <typename T>
std::uint64_t to_bits(xsimd::batch_bool<T> lanes) {
#if defined(__AVX512F__)
  return static_cast<std::uint64_t>(lanes.data);
#elif defined(__AVX2__)
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(lanes.data));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes.data)));
  } else {  // 16-bit lanes: their bytes side by side, halves in order
    const __m256i bytes = _mm256_packs_epi16(lanes.data, _mm256_setzero_si256());
    const auto pairs =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8)));
    return pairs & 0xFFFFU;
  }
#else
  std::uint64_t bits = 0;
  bool values[Batch<T>::size];
  lanes.store_unaligned(values);
  for (std::size_t lane = 0; lane < Batch<T>::size; ++lane)
    bits |= static_cast<std::uint64_t>(values[lane]) << lane;
  return bits;
#endif
}

/// Packs the signs of one pixel. `batch(c)` compares the lanes from channel c on, `single(c)` one
/// channel.
template <typename T, typename Compare, typename Single>
void write_bits(std::int64_t channels, std::byte* out, std::int64_t tail_bytes, Compare batch,
                Single single) {
  constexpr auto lanes = static_cast<std::int64_t>(Batch<T>::size);
  std::int64_t first = 0;
  for (; first + 64 <= channels; first += 64, out += 8) {
    std::uint64_t word = 0;
#pragma GCC unroll 16
    for (std::int64_t c = 0; c < 64; c += lanes) word |= to_bits(batch(first + c)) << c;
    __builtin_memcpy(out, &word, 8);
  }
  if (first == channels) return;
  const std::int64_t end = channels - first;
  std::uint64_t word = 0;
  std::int64_t c = 0;
  for (; c + lanes <= end; c += lanes) word |= to_bits(batch(first + c)) << c;
  for (; c < end; ++c) word |= static_cast<std::uint64_t>(single(first + c)) << c;
  if (tail_bytes == 8)  // the usual sizes need no call of memcpy
    __builtin_memcpy(out, &word, 8);
  else if (tail_bytes == 4)
    __builtin_memcpy(out, &word, 4);
  else
    __builtin_memcpy(out, &word, static_cast<std::size_t>(tail_bytes));
}

// Float sums are exact integers, and become such first: a sum of -0.0 must not make a value of
// -0.0.
template <typename Limit, typename Sum>
Batch<Limit> load_sums(const Sum* sums) {
  if constexpr (std::is_same_v<Sum, float>)
    return xsimd::to_int(Batch<float>::load_unaligned(sums));
  else
    return Batch<Limit>::load_unaligned(sums);
}

template <typename Sum, typename Limit>
struct Loops {
  static bool negative(const Sum* sums, ThresholdView<Limit> t, std::int64_t c) {
    return (static_cast<Limit>(sums[c]) ^ t.flip[c]) < t.limit[c];
  }
  static void bits(Extent extent, const Sum* sums, std::int64_t stride, ThresholdView<Limit> t,
                   BitRows out) {
    for (std::int64_t p = 0; p < extent.pixels; ++p, sums += stride, out.data += out.stride)
      write_bits<Limit>(
          extent.channels, out.data, out.tail_bytes,
          [=](std::int64_t c) {
            return (load_sums<Limit>(sums + c) ^ Batch<Limit>::load_unaligned(t.flip + c)) <
                   Batch<Limit>::load_unaligned(t.limit + c);
          },
          [=](std::int64_t c) { return negative(sums, t, c); });
  }
  template <typename Sign>
  static void signs(Extent extent, const Sum* sums, ThresholdView<Limit> t, Sign plus, Sign minus,
                    Sign* out) {
    for (std::int64_t p = 0; p < extent.pixels;
         ++p, sums += extent.channels, out += extent.channels)
      for (std::int64_t c = 0; c < extent.channels; ++c)
        out[c] = negative(sums, t, c) ? minus : plus;
  }
  static void values(Extent extent, const Sum* sums, const float* alpha, const float* bias,
                     ConstFloatTensor addend, FloatTensor values) {
    bias ? values_of(
               extent, sums, alpha, [=](std::int64_t c) { return bias[c]; }, addend, values)
         : values_of(
               extent, sums, alpha, [](std::int64_t) { return 0.0F; }, addend, values);
  }
  template <typename Bias>
  static void values_of(Extent extent, const Sum* sums, const float* alpha, Bias bias,
                        ConstFloatTensor addend, FloatTensor values) {
    for (std::int64_t p = 0; p < extent.pixels; ++p, sums += extent.channels) {
      auto value = [=](std::int64_t c) {
        return layer_value(alpha[c], static_cast<std::int32_t>(sums[c]), bias(c));
      };
      float* const out = values.data + p * values.stride;
      const float* const x = addend.data + p * addend.stride;
      if (!addend.data) {
        for (std::int64_t c = 0; c < extent.channels; ++c) out[c] = value(c);
      } else if (x == out) {
        for (std::int64_t c = 0; c < extent.channels; ++c) out[c] = value(c) + out[c];
      } else {
        for (std::int64_t c = 0; c < extent.channels; ++c) out[c] = value(c) + x[c];
      }
    }
  }
  static constexpr SumLoops<Sum, Limit> table{bits, signs<float>, signs<std::uint8_t>, values};
};

/// sign(x) or sign(affine(x)). The affine is not folded into a threshold. It costs a multiplication
/// and an addition in a loop that waits for memory, and evaluating it is right by construction.
struct PlainValue {
  const float* x;
  float single(std::int64_t c) const { return x[c]; }
  Batch<float> batch(std::int64_t c) const { return Batch<float>::load_unaligned(x + c); }
};
struct AffineValue {
  const float* x;
  AffineView affine;
  float single(std::int64_t c) const {
    const float product = x[c] * affine.scale[c];
    return product + affine.shift[c];
  }
  Batch<float> batch(std::int64_t c) const {
    const Batch<float> product =
        Batch<float>::load_unaligned(x + c) * Batch<float>::load_unaligned(affine.scale + c);
    return product + Batch<float>::load_unaligned(affine.shift + c);
  }
};

/// Calls f(pixel, value, rule) for each pixel. The type of `value` says whether there is an affine
/// and the type of `rule` which rule it is, so that the loops have no branch.
template <typename F>
void for_each_sign(std::int64_t pixels, ConstFloatTensor x, AffineView affine, ZeroRule rule, F f) {
  using Plus = std::integral_constant<ZeroRule, ZeroRule::plus>;
  using Minus = std::integral_constant<ZeroRule, ZeroRule::minus>;
  auto for_each_pixel = [=](auto value_of, auto fixed_rule) {
    for (std::int64_t p = 0; p < pixels; ++p) f(p, value_of(x.data + p * x.stride), fixed_rule);
  };
  auto with_rule = [=](auto value_of) {
    rule == ZeroRule::plus ? for_each_pixel(value_of, Plus{}) : for_each_pixel(value_of, Minus{});
  };
  affine.scale ? with_rule([=](const float* row) {
    return AffineValue{row, affine};
  })
               : with_rule([](const float* row) { return PlainValue{row}; });
}

void sign_bits(Extent extent, ConstFloatTensor x, AffineView affine, ZeroRule rule, BitRows out) {
  for_each_sign(extent.pixels, x, affine, rule, [=](std::int64_t p, auto value, auto fixed_rule) {
    constexpr ZeroRule zero_rule = decltype(fixed_rule)::value;
    write_bits<float>(
        extent.channels, out.data + p * out.stride, out.tail_bytes,
        [=](std::int64_t c) {  // `!(x > 0)` and not `x <= 0`: NaN is negative
          const Batch<float> zero(0.0F);
          return zero_rule == ZeroRule::plus ? !(value.batch(c) >= zero) : !(value.batch(c) > zero);
        },
        [=](std::int64_t c) { return is_negative(value.single(c), zero_rule); });
  });
}

template <typename Sign>
void sign_values(Extent extent, ConstFloatTensor x, AffineView affine, ZeroRule rule, Sign plus,
                 Sign minus, Sign* signs, std::int64_t stride) {
  for_each_sign(extent.pixels, x, affine, rule, [=](std::int64_t p, auto value, auto fixed_rule) {
    Sign* const row = signs + p * stride;
    for (std::int64_t c = 0; c < extent.channels; ++c)
      row[c] = is_negative(value.single(c), decltype(fixed_rule)::value) ? minus : plus;
  });
}

/// f(y) for each pixel's row.
template <typename F>
void for_each_row(Extent extent, FloatTensor y, F f) {
  for (std::int64_t p = 0; p < extent.pixels; ++p) f(y.data + p * y.stride);
}

/// f(x, y) for each pixel's rows.
template <typename F>
void for_each_row(Extent extent, ConstFloatTensor x, FloatTensor y, F f) {
  for (std::int64_t p = 0; p < extent.pixels; ++p) f(x.data + p * x.stride, y.data + p * y.stride);
}

void copy_rows(Extent extent, ConstFloatTensor x, FloatTensor y) {
  if (x.data == y.data && x.stride == y.stride) return;
  for_each_row(extent, x, y, [=](const float* __restrict__ from, float* __restrict__ to) {
    for (std::int64_t c = 0; c < extent.channels; ++c) to[c] = from[c];
  });
}

void affine_rows(Extent extent, AffineView affine, FloatTensor y) {
  for_each_row(extent, y, [=](float* row) {
    for (std::int64_t c = 0; c < extent.channels; ++c) {
      const float product = row[c] * affine.scale[c];
      row[c] = product + affine.shift[c];
    }
  });
}

void relu_rows(Extent extent, float slope, FloatTensor y) {
  for_each_row(extent, y, [=](float* row) {
    if (slope == 0.0F) {
      for (std::int64_t c = 0; c < extent.channels; ++c) row[c] = relu(row[c], 0.0F);
    } else {
      for (std::int64_t c = 0; c < extent.channels; ++c) row[c] = relu(row[c], slope);
    }
  });
}

void scale_rows(Extent extent, float factor, FloatTensor y) {
  for_each_row(extent, y, [=](float* row) {
    for (std::int64_t c = 0; c < extent.channels; ++c) row[c] = row[c] * factor;
  });
}

void add_rows(Extent extent, ConstFloatTensor x, FloatTensor y) {
  for_each_row(extent, x, y, [=](const float* from, float* row) {
    for (std::int64_t c = 0; c < extent.channels; ++c) row[c] = row[c] + from[c];
  });
}

void larger_rows(Extent extent, ConstFloatTensor x, FloatTensor y) {
  for_each_row(extent, x, y, [=](const float* from, float* row) {
    for (std::int64_t c = 0; c < extent.channels; ++c) row[c] = from[c] > row[c] ? from[c] : row[c];
  });
}

constexpr RowLoops loops{Loops<std::int16_t, std::int16_t>::table,
                         Loops<std::int32_t, std::int32_t>::table,
                         Loops<float, std::int32_t>::table,
                         sign_bits,
                         sign_values<float>,
                         sign_values<std::uint8_t>,
                         copy_rows,
                         affine_rows,
                         relu_rows,
                         scale_rows,
                         add_rows,
                         larger_rows};

}  // namespace
}  // namespace xnorbench
