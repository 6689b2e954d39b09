#include "core/packed_input.h"

#include <bit>
#include <cstring>

#include "core/parallel.h"
#include "core/row_loops.h"

namespace xnorbench {

std::string_view to_string(PackedForm form) {
  switch (form) {
    case PackedForm::bits: return "bits";
    case PackedForm::f32: return "float32";
    case PackedForm::u8: return "uint8";
  }
  return {};
}

std::size_t PackedFormat::bytes_per_pixel() const {
  switch (form) {
    case PackedForm::bits:
      return static_cast<std::size_t>(words_per_pixel()) * sizeof(std::uint64_t);
    case PackedForm::f32: return static_cast<std::size_t>(channels) * sizeof(float);
    case PackedForm::u8: return static_cast<std::size_t>(channels);
  }
  return 0;
}

namespace {

/// Writes all channels of a packed input, or whole bytes of one that has a single group.
void write_bits(const RowLoops& loops, const SignTarget& target, std::int64_t first_pixel,
                Extent extent, ConstFloatTensor values) {
  static_assert(std::endian::native == std::endian::little,
                "channel c is in byte c / 8 of the words");
  const PackedFormat& format = target.format;
  const auto stride = static_cast<std::int64_t>(format.bytes_per_pixel());
  auto* const bytes = static_cast<std::byte*>(target.packed_input) + first_pixel * stride +
                      target.first_channel / 8;
  if (extent.channels == format.channels) {
    const std::int64_t group = format.group_channels();
    for (std::int64_t first = 0; first < format.channels; first += group)
      loops.sign_bits({extent.pixels, group}, {values.data + first, values.stride},
                      target.affine.from(first), target.rule,
                      {bytes + first / group * format.words_per_group() * 8, stride, 8});
    return;
  }
  const std::int64_t tail = extent.channels % 64;
  loops.sign_bits(extent, values, target.affine, target.rule, {bytes, stride, (tail + 7) / 8});
  const std::int64_t end = (target.first_channel + extent.channels + 7) / 8;
  if (target.first_channel + extent.channels == format.channels &&
      end < stride)  // unused bits of the last word
    for (std::int64_t p = 0; p < extent.pixels; ++p)
      std::memset(bytes + p * stride + end - target.first_channel / 8, 0,
                  static_cast<std::size_t>(stride - end));
}

}  // namespace

void write_signs(const RowLoops& loops, const SignTarget& target, std::int64_t first_pixel,
                 Extent extent, ConstFloatTensor values) {
  const PackedFormat& format = target.format;
  const std::int64_t element = first_pixel * format.channels + target.first_channel;
  switch (format.form) {
    case PackedForm::bits: return write_bits(loops, target, first_pixel, extent, values);
    case PackedForm::f32:
      return loops.sign_floats(extent, values, target.affine, target.rule, 1.0F - format.offset,
                               -1.0F - format.offset,
                               static_cast<float*>(target.packed_input) + element, format.channels);
    case PackedForm::u8:
      return loops.sign_bytes(extent, values, target.affine, target.rule, format.plus, format.minus,
                              static_cast<std::uint8_t*>(target.packed_input) + element,
                              format.channels);
  }
}

void sign_pass(const PackedFormat& format, ZeroRule rule, std::int64_t pixels,
               ConstFloatTensor tensor, AffineView affine, void* packed_input,
               const CpuShare& cpu) {
  const RowLoops& loops = row_loops(cpu.isa);
  const SignTarget target{format, rule, affine, 0, packed_input};
  for_each_stretch(pixels, cpu.threads, [&](std::int64_t first, std::int64_t count) {
    write_signs(loops, target, first, {count, format.channels},
                {tensor.data + first * tensor.stride, tensor.stride});
  });
}

namespace {

/// Whether bits of the group's last word that stand for no channel are set.
bool has_unused_bits(const PackedFormat& format, const std::uint64_t* group_words) {
  const std::int64_t used = format.group_channels() % 64;
  return used != 0 && group_words[format.words_per_group() - 1] >> used != 0;
}

std::int8_t decode_bit(const PackedFormat& format, const std::uint64_t* pixel_words,
                       std::int64_t channel) {
  const std::uint64_t* const words =
      pixel_words + channel / format.group_channels() * format.words_per_group();
  if (has_unused_bits(format, words)) return 0;
  const std::int64_t bit = channel % format.group_channels();
  return words[bit / 64] >> (bit % 64) & 1 ? -1 : 1;
}

}  // namespace

void decode_signs(const PackedFormat& format, std::int64_t pixels, const void* packed_input,
                  std::int8_t* signs) {
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    for (std::int64_t c = 0; c < format.channels; ++c) {
      const std::int64_t element = pixel * format.channels + c;
      if (format.form == PackedForm::bits)
        *signs++ = decode_bit(
            format,
            static_cast<const std::uint64_t*>(packed_input) + pixel * format.words_per_pixel(), c);
      else if (format.form == PackedForm::f32)
        *signs++ = static_cast<const float*>(packed_input)[element] + format.offset < 0.0F ? -1 : 1;
      else
        *signs++ = static_cast<const std::uint8_t*>(packed_input)[element] == format.minus ? -1 : 1;
    }
}

}  // namespace xnorbench
