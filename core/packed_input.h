// Packed inputs: binarised tensors in the form in which an implementation reads them, and the sign
// pass that makes them. All forms are channels-last (N, H, W, C).
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
  bits,  ///< 64-bit words per pixel, channel c of a group in bit c % 64 of word c / 64, 1 = -1
  f32,   ///< one float per element: sign - offset
  u8,    ///< one byte per element: `plus` or `minus`
};

/// Type of an element: "bits", "float32", "uint8".
std::string_view to_string(PackedForm form);

/// Layout of a binarised tensor. In `bits` each group starts on a word of its own and unused bits
/// of its last word are 0, so that XOR with weights packed the same way cancels them.
struct PackedFormat {
  PackedForm form = PackedForm::bits;
  std::int64_t channels = 1;
  std::int64_t groups = 1;  ///< `bits` only
  /// `f32` only: subtracted from every sign. Libraries pad with 0; storing sign - pad makes a 0
  /// mean the pad value, and the layer adds offset * sum(w) back.
  float offset = 0.0F;
  /// `u8` only: what the signs are stored as. The smaller is 0, which is also what libraries pad
  /// with.
  std::uint8_t plus = 1, minus = 0;

  bool operator==(const PackedFormat&) const = default;

  /// Without a division in the usual case: loops over pixels ask.
  std::int64_t group_channels() const { return groups == 1 ? channels : channels / groups; }
  std::int64_t words_per_group() const { return (group_channels() + 63) / 64; }
  std::int64_t words_per_pixel() const { return groups * words_per_group(); }
  std::size_t bytes_per_pixel() const;
  /// Who owns a tensor in this format.
  Category category() const {
    return form == PackedForm::bits ? Category::activations_bits : Category::activations_real;
  }
};

/// The signs of a problem's input, packed: what an implementation on bits reads.
inline PackedFormat packed_format(const ConvProblem& problem) {
  return {PackedForm::bits, problem.shape.in_channels, problem.shape.groups};
}

/// Where the signs of a float tensor go while it is written: sign(affine(x)) of its channels, as
/// the channels from `first_channel` on of a packed input. Only some of the channels of a packed
/// input of `bits`: of one group, and whole bytes (first_channel divides by 8, and so do the
/// channels written unless they are the packed input's last).
struct SignTarget {
  PackedFormat format;
  ZeroRule rule = ZeroRule::plus;
  AffineView affine;  ///< of the channels written
  std::int64_t first_channel = 0;
  void* packed_input = nullptr;
};

/// The signs of some pixels' values, from output pixel `first_pixel` on.
void write_signs(const RowLoops& loops, const SignTarget& target, std::int64_t first_pixel,
                 Extent extent, ConstFloatTensor values);

/// A pixel with more channels cannot pass through write_values_and_signs() without a tensor.
constexpr std::int64_t most_passing_channels = 4096;

/// Some pixels of a tensor, from `first_pixel` on, and their signs. fill(pixel, extent, values)
/// gives all channels of pixels from first_pixel + pixel on. Without a tensor (data is null: only
/// signs are wanted) the values pass through a few at a time.
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

/// The sign pass: sign(affine(x)) written as a packed input. One pass over `pixels` pixels.
void sign_pass(const PackedFormat& format, ZeroRule rule, std::int64_t pixels,
               ConstFloatTensor tensor, AffineView affine, void* packed_input, const CpuShare& cpu);

/// The signs (+1 or -1) of a packed input, pixels x channels; 0 for all channels of a group whose
/// unused bits are not 0, since they would count in the next layer. For checks; not timed.
void decode_signs(const PackedFormat& format, std::int64_t pixels, const void* packed_input,
                  std::int8_t* signs);

}  // namespace xnorbench
