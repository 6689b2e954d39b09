// Packed inputs: signs of a tensor, stored in the form that an implementation reads. The sign pass
// makes them from floats. All forms are channels-last (N, H, W, C).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/batch_norm.h"
#include "core/isa.h"
#include "core/memory.h"
#include "core/problem.h"
#include "core/row_loops.h"
#include "core/tensor.h"

namespace xnorbench {

enum class PackedForm {
  bits,  ///< 64-bit words per pixel: channel c of a group in bit c % 64 of word c / 64, 1 = -1
  f32,   ///< one float per element: sign - offset
  u8,    ///< one byte per element: `plus` or `minus`
};

/// Type of an element: "bits", "float32", "uint8".
std::string_view to_string(PackedForm form);

/// Layout of a packed input. In `bits` each group starts on a word of its own. Unused bits of its
/// last word are 0, so that XOR with weights packed the same way cancels them.
struct PackedFormat {
  PackedForm form = PackedForm::bits;
  std::int64_t channels = 1;
  std::int64_t groups = 1;  ///< `bits` only
  /// `f32` only: subtracted from every sign. Libraries pad with 0. Storing sign - pad makes that 0
  /// stand for the pad value, and the layer adds offset * sum(w) back.
  float offset = 0.0F;
  /// `u8` only: what +1 and -1 are stored as. The smaller is 0, with which libraries pad.
  std::uint8_t plus = 1, minus = 0;

  bool operator==(const PackedFormat&) const = default;

  /// No division in the usual case, since loops over pixels call it.
  std::int64_t group_channels() const { return groups == 1 ? channels : channels / groups; }
  std::int64_t words_per_group() const { return (group_channels() + 63) / 64; }
  std::int64_t words_per_pixel() const { return groups * words_per_group(); }
  std::size_t bytes_per_pixel() const;
  /// Owner of its bytes.
  Category category() const {
    return form == PackedForm::bits ? Category::activations_bits : Category::activations_real;
  }
};

/// What an implementation that computes on bits reads of a problem's input.
inline PackedFormat packed_format(const ConvProblem& problem) {
  return {PackedForm::bits, problem.shape.in_channels, problem.shape.groups};
}

/// Where the signs of a float tensor go while it is written: sign(affine(x)) of its channels
/// becomes the channels from `first_channel` on of a packed input. `bits` can be written in parts
/// if there is one group and every part is whole bytes: first_channel, and the number of channels
/// unless they are the last, are multiples of 8.
struct SignTarget {
  PackedFormat format;
  ZeroRule rule = ZeroRule::plus;
  AffineView affine;  ///< of the channels written
  std::int64_t first_channel = 0;
  void* packed_input = nullptr;
};

/// Writes the signs of the values of some pixels, from pixel `first_pixel` on.
void write_signs(const RowLoops& loops, const SignTarget& target, std::int64_t first_pixel,
                 Extent extent, ConstFloatTensor values);

/// Signs alone, without a tensor for the values, can be written of up to so many channels.
constexpr std::int64_t most_passing_channels = 4096;

/// Writes some pixels of a tensor, from `first_pixel` on, and their signs. fill(pixel, extent,
/// values) computes all channels of the pixels from first_pixel + pixel on. If tensor.data is null,
/// only signs are wanted: values then pass through a small buffer, a few pixels at a time.
template <typename Fill>
void write_values_and_signs(const RowLoops& loops, std::int64_t first_pixel, Extent extent,
                            FloatTensor tensor, std::span<const SignTarget> signs, Fill fill) {
  float passing[most_passing_channels];
  const std::int64_t at_once =
      tensor.data ? extent.pixels
                  : std::max<std::int64_t>(1, most_passing_channels / extent.channels);
  for (std::int64_t pixel = 0; pixel < extent.pixels; pixel += at_once) {
    const Extent part{std::min(at_once, extent.pixels - pixel), extent.channels};
    const FloatTensor values =
        tensor.data
            ? FloatTensor{tensor.data + (first_pixel + pixel) * tensor.stride, tensor.stride}
            : FloatTensor{passing, extent.channels};
    fill(pixel, part, values);
    for (const SignTarget& target : signs)
      write_signs(loops, target, first_pixel + pixel, part, {values.data, values.stride});
  }
}

/// The sign pass: writes sign(affine(x)) of `pixels` pixels as a packed input.
void sign_pass(const PackedFormat& format, ZeroRule rule, std::int64_t pixels,
               ConstFloatTensor tensor, AffineView affine, void* packed_input, const CpuShare& cpu);

/// The signs (+1 or -1) of a packed input, pixels x channels. A group whose unused bits are not 0
/// gives 0 for all its channels, since those bits would count in the next layer. For checks; not
/// timed.
void decode_signs(const PackedFormat& format, std::int64_t pixels, const void* packed_input,
                  std::int8_t* signs);

}  // namespace xnorbench
