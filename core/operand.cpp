#include "core/operand.h"

#include "core/row_loops.h"

namespace xnorbench {

std::size_t OperandFormat::bytes_per_pixel() const {
  switch (form) {
    case OperandForm::bits: return static_cast<std::size_t>(words_per_pixel()) * sizeof(std::uint64_t);
    case OperandForm::f32: return static_cast<std::size_t>(channels) * sizeof(float);
    case OperandForm::u8: return static_cast<std::size_t>(channels);
  }
  return 0;
}

void sign_pass(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map,
               AffineView affine, void* operand, const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
#pragma omp parallel for num_threads(cpu.threads) schedule(static) if (cpu.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const float* const x = map.data + pixel * map.stride;
    switch (format.form) {
      case OperandForm::bits: {
        auto* words = static_cast<std::uint64_t*>(operand) + pixel * format.words_per_pixel();
        const std::int64_t channels = format.group_channels();
        for (std::int64_t first = 0; first < format.channels; first += channels, words += format.words_per_group())
          loops.sign_bits(channels, x + first, affine.from(first), rule, words);
        break;
      }
      case OperandForm::f32:
        loops.sign_floats(format.channels, x, affine, rule, 1.0F - format.offset, -1.0F - format.offset,
                          static_cast<float*>(operand) + pixel * format.channels);
        break;
      case OperandForm::u8:
        loops.sign_bytes(format.channels, x, affine, rule, format.plus, format.minus,
                         static_cast<std::uint8_t*>(operand) + pixel * format.channels);
        break;
    }
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
