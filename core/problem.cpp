#include "core/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <vector>

#include "core/error.h"

namespace xnorbench {
namespace {

std::int64_t out_size(std::int64_t in, std::int64_t pad, std::int64_t dilation, std::int64_t kernel,
                      std::int64_t stride) {
  return (in + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
}

/// One integer field of the text form. A field whose default is another field's value (iw = ih)
/// names it in `same_as`.
struct SizeField {
  std::string_view key;
  std::int64_t ConvShape::*size;
  std::int64_t default_value;
  std::int64_t ConvShape::*same_as;
  std::int64_t smallest;
};

// In the order in which they are printed: a field comes after the one it defaults to.
constexpr std::array<SizeField, 14> size_fields{{
    {"n", &ConvShape::batch, 1, nullptr, 1},
    {"ic", &ConvShape::in_channels, 1, nullptr, 1},
    {"ih", &ConvShape::in_height, 1, nullptr, 1},
    {"iw", &ConvShape::in_width, 1, &ConvShape::in_height, 1},
    {"oc", &ConvShape::out_channels, 1, nullptr, 1},
    {"kh", &ConvShape::kernel_height, 1, nullptr, 1},
    {"kw", &ConvShape::kernel_width, 1, &ConvShape::kernel_height, 1},
    {"sh", &ConvShape::stride_height, 1, nullptr, 1},
    {"sw", &ConvShape::stride_width, 1, &ConvShape::stride_height, 1},
    {"ph", &ConvShape::pad_height, 0, nullptr, 0},
    {"pw", &ConvShape::pad_width, 0, &ConvShape::pad_height, 0},
    {"dh", &ConvShape::dilation_height, 1, nullptr, 1},
    {"dw", &ConvShape::dilation_width, 1, &ConvShape::dilation_height, 1},
    {"g", &ConvShape::groups, 1, nullptr, 1},
}};

template <typename Value>
struct WordField {
  std::string_view word;
  Value value;
};

constexpr std::array<WordField<PadValue>, 3> pad_words{
    {{"pad-1", PadValue::minus_one}, {"pad0", PadValue::zero}, {"pad1", PadValue::plus_one}}};
constexpr std::array<WordField<ZeroRule>, 2> zero_words{
    {{"zeroplus", ZeroRule::plus}, {"zerominus", ZeroRule::minus}}};
constexpr std::array<WordField<Source>, 2> source_words{
    {{"srcsign", Source::sign}, {"srcf32", Source::f32}}};
constexpr std::array<WordField<Destination>, 4> destination_words{
    {{"dstacc", Destination::acc},
     {"dstf32", Destination::f32},
     {"dstsign", Destination::sign},
     {"dstf32sign", Destination::f32_sign}}};

template <typename Value, std::size_t n>
std::string_view word_of(const std::array<WordField<Value>, n>& words, Value value) {
  for (const auto& field : words)
    if (field.value == value) return field.word;
  return {};
}

/// True when `word` belongs to this table; sets the value.
template <typename Value, std::size_t n>
bool match_word(const std::array<WordField<Value>, n>& words, std::string_view word, Value& value) {
  for (const auto& field : words)
    if (field.word == word) {
      value = field.value;
      return true;
    }
  return false;
}

std::string_view leading_letters(std::string_view token) {
  std::size_t length = 0;
  while (length < token.size() && token[length] >= 'a' && token[length] <= 'z') ++length;
  return token.substr(0, length);
}

std::int64_t parse_size(std::string_view text, std::string_view token, std::string_view digits) {
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range)
    throw InputError(fmt::format("problem '{}': '{}' does not fit 64 bits", text, token));
  if (error != std::errc{} || stop != end)
    throw InputError(fmt::format(
        "problem '{}': '{}' is not a field; expected a name and a whole number, as in ic64", text,
        token));
  return value;
}

/// Product that refuses to leave the range in which byte counts and indices are safe.
std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* what,
                             const std::string& text) {
  constexpr std::int64_t largest = std::int64_t{1} << 56;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > largest)
    throw InputError(fmt::format("problem '{}': {} is larger than 2^56", text, what));
  return product;
}

void validate_axis(const std::string& text, char axis, std::int64_t in, std::int64_t pad,
                   std::int64_t dilation, std::int64_t kernel) {
  const std::int64_t padded = in + 2 * pad;
  const std::int64_t extent =
      checked_product(dilation, kernel - 1, axis == 'h' ? "dh * (kh - 1)" : "dw * (kw - 1)", text) +
      1;
  if (extent > padded)
    throw InputError(
        fmt::format("problem '{0}': the kernel covers {1} but the padded input is {2} along {3}; "
                    "make k{3} or d{3} smaller, or i{3} or p{3} larger",
                    text, extent, padded, axis));
}

}  // namespace

std::int64_t ConvShape::out_height() const {
  return out_size(in_height, pad_height, dilation_height, kernel_height, stride_height);
}

std::int64_t ConvShape::out_width() const {
  return out_size(in_width, pad_width, dilation_width, kernel_width, stride_width);
}

bool ConvShape::is_pointwise() const {
  return taps() == 1 && stride_height == 1 && stride_width == 1 && pad_height == 0 &&
         pad_width == 0;
}

std::string to_string(PadValue value) { return std::to_string(static_cast<int>(value)); }
std::string to_string(ZeroRule rule) { return rule == ZeroRule::plus ? "plus" : "minus"; }
std::string to_string(Source source) { return source == Source::sign ? "sign" : "f32"; }

std::string to_string(Destination destination) {
  switch (destination) {
    case Destination::acc: return "acc";
    case Destination::f32: return "f32";
    case Destination::sign: return "sign";
    case Destination::f32_sign: return "f32_sign";
  }
  return {};
}

Source parse_source(std::string_view word) {
  for (Source source : {Source::sign, Source::f32})
    if (to_string(source) == word) return source;
  throw_unknown("source", std::string(word), "sign, f32");
}

Destination parse_destination(std::string_view word) {
  for (Destination destination :
       {Destination::acc, Destination::f32, Destination::sign, Destination::f32_sign})
    if (to_string(destination) == word) return destination;
  throw_unknown("destination", std::string(word), "acc, f32, sign, f32_sign");
}

std::string to_text(const ConvProblem& problem) {
  std::string text;
  auto append = [&text](std::string_view token) {
    if (!text.empty()) text += '_';
    text += token;
  };
  for (const SizeField& field : size_fields) {
    const std::int64_t value = problem.shape.*field.size;
    const std::int64_t default_value =
        field.same_as ? problem.shape.*field.same_as : field.default_value;
    if (value != default_value) append(fmt::format("{}{}", field.key, value));
  }
  const ConvProblem defaults;
  if (problem.pad_value != defaults.pad_value) append(word_of(pad_words, problem.pad_value));
  if (problem.zero_rule != defaults.zero_rule) append(word_of(zero_words, problem.zero_rule));
  if (problem.source != defaults.source) append(word_of(source_words, problem.source));
  if (problem.destination != defaults.destination)
    append(word_of(destination_words, problem.destination));
  return text.empty() ? "ic1" : text;
}

ConvProblem parse_problem(std::string_view text) {
  ConvProblem problem;
  std::array<bool, size_fields.size()> seen{};
  std::vector<std::string_view> seen_words;
  auto once = [&](bool repeated, std::string_view name) {
    if (repeated)
      throw InputError(fmt::format("problem '{}': field '{}' is given twice", text, name));
  };

  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('_', begin), text.size());
    const std::string_view token = text.substr(begin, end - begin);
    begin = end + 1;

    const bool is_word = match_word(pad_words, token, problem.pad_value) ||
                         match_word(zero_words, token, problem.zero_rule) ||
                         match_word(source_words, token, problem.source) ||
                         match_word(destination_words, token, problem.destination);
    if (is_word) {
      const std::string_view name = token.substr(0, token.starts_with("zero") ? 4 : 3);
      for (std::string_view earlier : seen_words) once(earlier == name, name);
      seen_words.push_back(name);
      continue;
    }

    const std::string_view key = leading_letters(token);
    std::size_t index = 0;
    while (index < size_fields.size() && size_fields[index].key != key) ++index;
    if (index == size_fields.size())
      throw InputError(fmt::format(
          "problem '{}': '{}' is not a field; fields: n ic ih iw oc kh kw sh sw ph pw dh dw g with "
          "a number, pad-1|pad0|pad1, zeroplus|zerominus, srcsign|srcf32, "
          "dstacc|dstf32|dstsign|dstf32sign",
          text, token));
    once(seen[index], key);
    seen[index] = true;
    problem.shape.*size_fields[index].size = parse_size(text, token, token.substr(key.size()));
  }
  for (std::size_t i = 0; i < size_fields.size(); ++i)
    if (!seen[i] && size_fields[i].same_as)
      problem.shape.*size_fields[i].size = problem.shape.*size_fields[i].same_as;
  validate(problem);
  return problem;
}

void validate(const ConvProblem& problem) {
  const ConvShape& s = problem.shape;
  const std::string text = to_text(problem);
  // Far above any real layer, low enough that sums of two or three sizes cannot overflow.
  constexpr std::int64_t largest_size = std::int64_t{1} << 40;
  for (const SizeField& field : size_fields) {
    const std::int64_t value = s.*field.size;
    if (value < field.smallest || value > largest_size)
      throw InputError(fmt::format("problem '{}': {} is {}; it must be from {} to 2^40", text,
                                   field.key, value, field.smallest));
  }
  if (s.in_channels % s.groups != 0 || s.out_channels % s.groups != 0)
    throw InputError(fmt::format("problem '{}': ic ({}) and oc ({}) must be multiples of g ({})",
                                 text, s.in_channels, s.out_channels, s.groups));
  validate_axis(text, 'h', s.in_height, s.pad_height, s.dilation_height, s.kernel_height);
  validate_axis(text, 'w', s.in_width, s.pad_width, s.dilation_width, s.kernel_width);

  auto product = [&text](const char* what, std::initializer_list<std::int64_t> factors) {
    std::int64_t value = 1;
    for (std::int64_t factor : factors) value = checked_product(value, factor, what, text);
    return value;
  };
  product("the input", {s.batch, s.in_height, s.in_width, s.in_channels});
  product("the output", {s.batch, s.out_height(), s.out_width(), s.out_channels});
  const std::int64_t k = product("K", {s.kernel_height, s.kernel_width, s.group_in_channels()});
  if (k >= std::numeric_limits<std::int32_t>::max())
    throw InputError(fmt::format(
        "problem '{}': K = kh*kw*ic/g is {}; sums are 32-bit, so at most 2^31-2", text, k));
  product("the weights", {s.out_channels, k});
  product("the number of multiply-accumulates",
          {s.batch, s.out_height(), s.out_width(), s.out_channels, k});
}

}  // namespace xnorbench
