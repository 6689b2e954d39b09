#include "core/comparison.h"

#include <fmt/format.h>

#include <algorithm>

namespace xnorbench {

std::string hash_bytes(const void* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto* byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3U;
  return fmt::format("{:016x}", hash);
}

std::string hash_of(const Canonical& values) {
  return hash_bytes(values.data(), values.size() * sizeof(values[0]));
}

std::optional<Mismatch> first_mismatch(std::span<const std::int32_t> expected,
                                       std::span<const std::int32_t> actual) {
  Mismatch mismatch;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[i]) continue;
    if (mismatch.count++ == 0) {
      mismatch.index = i;
      mismatch.expected = expected[i];
      mismatch.actual = actual[i];
    }
  }
  if (mismatch.count == 0) return std::nullopt;
  return mismatch;
}

std::string agreement(std::span<const NamedResult> results) {
  std::vector<std::vector<const NamedResult*>> clusters;
  for (const NamedResult& result : results) {
    auto same = std::find_if(clusters.begin(), clusters.end(), [&](const auto& cluster) {
      return cluster.front()->values == result.values;
    });
    if (same == clusters.end())
      same = clusters.insert(clusters.end(), std::vector<const NamedResult*>{});
    same->push_back(&result);
  }
  std::string text;
  for (const auto& cluster : clusters) {
    if (!text.empty()) text += " | ";
    for (const NamedResult* result : cluster) {
      if (result != cluster.front()) text += " = ";
      text += result->name;
    }
  }
  return text;
}

}  // namespace xnorbench
