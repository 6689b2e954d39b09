#include "core/operand.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

namespace {

/// A word at a time, as its bytes: its other channels are another part's.
void write_some_bits(const RowLoops& loops, const SignTarget& target, std::int64_t channels, const float* values,
                     std::uint64_t* words) {
  static_assert(std::endian::native == std::endian::little, "channel c is in byte c / 8 of the words");
  auto* const bytes = reinterpret_cast<std::byte*>(words);
  const auto pixel_bytes = static_cast<std::int64_t>(target.format.bytes_per_pixel());
  for (std::int64_t first = 0; first < channels; first += 64) {
    const std::int64_t count = std::min<std::int64_t>(64, channels - first);
    const std::int64_t begin = (target.first_channel + first) / 8;
    std::uint64_t word = 0;
    loops.sign_bits(count, values + first, target.affine.from(first), target.rule, &word);
    const std::int64_t end = begin + (count + 7) / 8;
    if (target.first_channel + first + count == target.format.channels && end < pixel_bytes)  // unused bits
      std::memset(bytes + end, 0, static_cast<std::size_t>(pixel_bytes - end));
    if (count == 64)  // sizes known to the compiler: a call would cost more than the copy
      std::memcpy(bytes + begin, &word, 8);
    else if (count == 32)
      std::memcpy(bytes + begin, &word, 4);
    else
      std::memcpy(bytes + begin, &word, static_cast<std::size_t>(end - begin));
  }
}

}  // namespace

void write_signs(const RowLoops& loops, const SignTarget& target, std::int64_t pixel, std::int64_t channels,
                 const float* values) {
  const OperandFormat& format = target.format;
  switch (format.form) {
    case OperandForm::bits: {
      auto* words = static_cast<std::uint64_t*>(target.operand) + pixel * format.words_per_pixel();
      if (channels < format.channels) return write_some_bits(loops, target, channels, values, words);
      const std::int64_t step = format.group_channels();
      for (std::int64_t first = 0; first < channels; first += step, words += format.words_per_group())
        loops.sign_bits(step, values + first, target.affine.from(first), target.rule, words);
      break;
    }
    case OperandForm::f32:
      loops.sign_floats(channels, values, target.affine, target.rule, 1.0F - format.offset, -1.0F - format.offset,
                        static_cast<float*>(target.operand) + pixel * format.channels + target.first_channel);
      break;
    case OperandForm::u8:
      loops.sign_bytes(channels, values, target.affine, target.rule, format.plus, format.minus,
                       static_cast<std::uint8_t*>(target.operand) + pixel * format.channels + target.first_channel);
      break;
  }
}

void sign_pass(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map,
               AffineView affine, void* operand, const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
  const SignTarget target{format, rule, affine, 0, operand};
#pragma omp parallel for num_threads(cpu.threads) schedule(static) if (cpu.threads > 1)
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    write_signs(loops, target, pixel, format.channels, map.data + pixel * map.stride);
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
