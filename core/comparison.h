// Exact comparison of results, and who agrees with whom when they differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xnorbench {

/// A result in canonical form: one element per output, in the order N, H, W, C. If a layer has two
/// outputs (f32_sign), all values come before all signs. Floats are kept as their bits, so that
/// comparison is exact.
using Canonical = std::vector<std::int32_t>;

/// 64-bit FNV-1a over the bytes, as 16 hexadecimal digits.
std::string hash_bytes(const void* data, std::size_t bytes);
std::string hash_of(const Canonical& values);

struct Mismatch {
  std::size_t index = 0;  ///< first element that differs
  std::size_t count = 0;  ///< how many differ
  std::int32_t expected = 0, actual = 0;
};

/// Nothing when equal. Sizes must agree.
std::optional<Mismatch> first_mismatch(std::span<const std::int32_t> expected,
                                       std::span<const std::int32_t> actual);

struct NamedResult {
  std::string name;
  Canonical values;
};

/// Which results are equal, as text: "a = b | c".
std::string agreement(std::span<const NamedResult> results);

}  // namespace xnorbench
