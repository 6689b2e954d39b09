#include "core/operand.h"

#include "core/pack.h"
#include "core/sign.h"

namespace xnorbench {
namespace {

/// Evaluates the sign of one pixel's channels. Two of them exist: sign(x) and sign(affine(x)). The
/// affine is evaluated, not folded: for a float input that costs a multiplication and an addition in a
/// pass that waits for memory, and is right by construction.
struct PlainSign {
  const float* x;
  ZeroRule rule;

  float value(std::int64_t c) const { return x[c]; }
  FloatBatch batch(std::int64_t c) const { return FloatBatch::load_unaligned(x + c); }
};

struct AffineSign {
  const float* x;
  ZeroRule rule;
  AffineView affine;

  float value(std::int64_t c) const {
    const float product = x[c] * affine.scale[c];
    return product + affine.shift[c];
  }
  FloatBatch batch(std::int64_t c) const {
    const FloatBatch product = FloatBatch::load_unaligned(x + c) * FloatBatch::load_unaligned(affine.scale + c);
    return product + FloatBatch::load_unaligned(affine.shift + c);
  }
};

/// All-ones where negative. `!(x > 0)` and not `x <= 0`: NaN is negative.
Int32Batch negative_mask(FloatBatch x, ZeroRule rule) {
  const FloatBatch zero(0.0F);
  return ~to_mask(rule == ZeroRule::plus ? x >= zero : x > zero);
}

template <typename Sign>
void write_pixel(const OperandFormat& format, const Sign& sign, std::uint64_t* words) {
  const std::int64_t group_channels = format.group_channels();
  for (std::int64_t first = 0; first < format.channels; first += group_channels, words += format.words_per_group())
    pack_row(
        group_channels, words, [&](std::int64_t c) { return negative_mask(sign.batch(first + c), sign.rule); },
        [&](std::int64_t c) { return is_negative(sign.value(first + c), sign.rule); });
}

/// The loop of one rule, so that it has no branch; values are locals, since a byte written could be part of
/// anything behind a reference and would keep the loop from becoming vectors.
template <ZeroRule rule, typename Sign, typename Element>
void write_values(std::int64_t channels, Sign sign, Element plus, Element minus, Element* signs) {
  for (std::int64_t c = 0; c < channels; ++c) signs[c] = is_negative(sign.value(c), rule) ? minus : plus;
}

template <typename Sign, typename Element>
void write_values(std::int64_t channels, const Sign& sign, Element plus, Element minus, Element* signs) {
  if (sign.rule == ZeroRule::plus)
    write_values<ZeroRule::plus>(channels, sign, plus, minus, signs);
  else
    write_values<ZeroRule::minus>(channels, sign, plus, minus, signs);
}

template <typename Sign>
void write_pixel(const OperandFormat& format, const Sign& sign, float* signs) {
  write_values(format.channels, sign, 1.0F - format.offset, -1.0F - format.offset, signs);
}

template <typename Sign>
void write_pixel(const OperandFormat& format, const Sign& sign, std::uint8_t* signs) {
  write_values(format.channels, sign, format.plus, format.minus, signs);
}

template <typename Element>
void write_pixels(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map,
                  AffineView affine, Element* operand, std::int64_t elements_per_pixel, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const float* const x = map.data + pixel * map.stride;
    Element* const out = operand + pixel * elements_per_pixel;
    if (affine.scale)
      write_pixel(format, AffineSign{x, rule, affine}, out);
    else
      write_pixel(format, PlainSign{x, rule}, out);
  }
}

}  // namespace

std::size_t OperandFormat::bytes_per_pixel() const {
  switch (form) {
    case OperandForm::bits: return static_cast<std::size_t>(words_per_pixel()) * sizeof(std::uint64_t);
    case OperandForm::f32: return static_cast<std::size_t>(channels) * sizeof(float);
    case OperandForm::u8: return static_cast<std::size_t>(channels);
  }
  return 0;
}

void sign_pass(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map,
               AffineView affine, void* operand, int threads) {
  auto write = [&](auto* elements, std::int64_t per_pixel) {
    write_pixels(format, rule, pixels, map, affine, elements, per_pixel, threads);
  };
  switch (format.form) {
    case OperandForm::bits: return write(static_cast<std::uint64_t*>(operand), format.words_per_pixel());
    case OperandForm::f32: return write(static_cast<float*>(operand), format.channels);
    case OperandForm::u8: return write(static_cast<std::uint8_t*>(operand), format.channels);
  }
}

namespace {

/// Of a group's last word, the bits that stand for no channel.
bool has_unused_bits(const OperandFormat& format, const std::uint64_t* group_words) {
  const std::int64_t used = format.group_channels() % 64;
  return used != 0 && group_words[format.words_per_group() - 1] >> used != 0;
}

std::int8_t decode_bit(const OperandFormat& format, const std::uint64_t* pixel_words, std::int64_t channel) {
  const std::uint64_t* const words = pixel_words + channel / format.group_channels() * format.words_per_group();
  if (has_unused_bits(format, words)) return 0;
  const std::int64_t bit = channel % format.group_channels();
  return words[bit / 64] >> (bit % 64) & 1 ? -1 : 1;
}

}  // namespace

void decode_signs(const OperandFormat& format, std::int64_t pixels, const void* operand, std::int8_t* signs) {
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    for (std::int64_t c = 0; c < format.channels; ++c) {
      const std::int64_t element = pixel * format.channels + c;
      if (format.form == OperandForm::bits)
        *signs++ = decode_bit(format, static_cast<const std::uint64_t*>(operand) + pixel * format.words_per_pixel(), c);
      else if (format.form == OperandForm::f32)
        *signs++ = static_cast<const float*>(operand)[element] + format.offset < 0.0F ? -1 : 1;
      else
        *signs++ = static_cast<const std::uint8_t*>(operand)[element] == format.minus ? -1 : 1;
    }
}

}  // namespace xnorbench
