// A convolution problem: its shape, and the semantics on which public implementations disagree.
// Everything else (tests, benchmarks, reports) refers to a problem by its text form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xnorbench {

/// Sizes of a 2-D convolution. Tensors are channels-last (N, H, W, C); weights are given as OIHW
/// with I = in_channels / groups. Counts are in elements.
struct ConvShape {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;
  std::int64_t in_height = 1;
  std::int64_t in_width = 1;
  std::int64_t out_channels = 1;
  std::int64_t kernel_height = 1;
  std::int64_t kernel_width = 1;
  std::int64_t stride_height = 1;
  std::int64_t stride_width = 1;
  std::int64_t pad_height = 0;
  std::int64_t pad_width = 0;
  std::int64_t dilation_height = 1;
  std::int64_t dilation_width = 1;
  std::int64_t groups = 1;

  bool operator==(const ConvShape&) const = default;

  /// floor((in + 2*pad - dilation*(kernel-1) - 1) / stride) + 1
  std::int64_t out_height() const;
  std::int64_t out_width() const;
  std::int64_t in_pixels() const { return batch * in_height * in_width; }
  std::int64_t out_pixels() const { return batch * out_height() * out_width(); }
  std::int64_t group_in_channels() const { return in_channels / groups; }
  std::int64_t group_out_channels() const { return out_channels / groups; }
  std::int64_t taps() const { return kernel_height * kernel_width; }
  /// Length of one dot product with every tap valid: taps * input channels of the group.
  std::int64_t k() const { return taps() * group_in_channels(); }
  std::int64_t input_count() const { return in_pixels() * in_channels; }
  std::int64_t output_count() const { return out_pixels() * out_channels; }
  std::int64_t weight_count() const { return out_channels * k(); }
  /// Multiply-accumulates of one call, padding taps included; operations = 2 * macs.
  std::int64_t macs() const { return output_count() * k(); }
  /// 1x1, stride 1, no padding: the input tensor is already the matrix that im2col would make.
  bool is_pointwise() const;
};

/// Value of the elements outside the tensor. `zero` adds nothing to a sum, so that sums at the
/// border have fewer terms.
enum class PadValue : int { minus_one = -1, zero = 0, plus_one = 1 };
constexpr float to_float(PadValue value) { return static_cast<float>(static_cast<int>(value)); }

/// Sign of an exact zero: `plus`: x >= 0 -> +1; `minus`: x > 0 -> +1. -0.0 counts as 0, NaN -> -1.
/// The same rule binarises activations and weights.
enum class ZeroRule { plus, minus };

/// Where the timed region begins.
enum class Source {
  sign,  ///< a packed input, in the implementation's own form
  f32,   ///< a channels-last float tensor, which is binarised first
};

/// Where it ends.
enum class Destination {
  acc,       ///< exact sums, in the implementation's own type
  f32,       ///< alpha * sum (+ bias), a channels-last float tensor
  sign,      ///< the next layer's packed input, through the batch norm between them
  f32_sign,  ///< both, as inside a residual block
};
constexpr bool has_values(Destination d) {
  return d == Destination::f32 || d == Destination::f32_sign;
}
constexpr bool has_signs(Destination d) {
  return d == Destination::sign || d == Destination::f32_sign;
}

/// A shape and the choices that decide its result.
struct ConvProblem {
  ConvShape shape;
  PadValue pad_value = PadValue::zero;
  ZeroRule zero_rule = ZeroRule::plus;
  Source source = Source::sign;
  Destination destination = Destination::acc;

  bool operator==(const ConvProblem&) const = default;
};

std::string to_string(PadValue);
std::string to_string(ZeroRule);
std::string to_string(Source);
std::string to_string(Destination);
/// Throw InputError for a word that is none of the names above.
Source parse_source(std::string_view word);
Destination parse_destination(std::string_view word);

/// Fields joined by '_' in any order, defaults left out:
///   n batch, ic/ih/iw input channels, height, width (iw: same as ih), oc output channels, kh/kw
///   kernel (kw: same as kh), sh/sw stride, ph/pw padding, dh/dw dilation, g groups,
///   pad-1|pad0|pad1, zeroplus|zerominus, srcsign|srcf32, dstacc|dstf32|dstsign|dstf32sign.
/// Example: n8_ic64_ih56_oc64_kh3_ph1_pad-1
std::string to_text(const ConvProblem& problem);

/// Inverse of to_text; also validates. Throws InputError that names the field.
ConvProblem parse_problem(std::string_view text);

/// Throws InputError unless every size is positive, the kernel fits the padded input, channels
/// divide by groups, K fits an int32 and every count of elements stays far from overflow.
void validate(const ConvProblem& problem);

}  // namespace xnorbench
