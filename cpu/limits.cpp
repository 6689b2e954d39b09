#include "cpu/limits.h"

#include <algorithm>

namespace xnorbench {
namespace {

constexpr double word_bits = 64;
constexpr double popcnt_operations = 3, swar_operations = 12;

std::optional<double> scaled(double factor, std::optional<double> rate) {
  return rate ? std::optional(factor * *rate) : std::nullopt;
}

}  // namespace

std::optional<double> f32_limit(const CoreCeilings& core) {
  return scaled(static_cast<double>(core.best.vector_bytes) / sizeof(float), core.best.multiply_add);
}

std::optional<double> dot_product_limit(const CoreCeilings& core) {
  return scaled(static_cast<double>(core.best.vector_bytes), core.best.dot_product);
}

std::optional<double> popcnt_limit(const CoreCeilings& core) {
  if (!core.scalar.integer || !core.scalar.popcnt) return std::nullopt;
  return word_bits * std::min(*core.scalar.popcnt, *core.scalar.integer / popcnt_operations);
}

std::optional<double> swar_limit(const CoreCeilings& core) {
  const auto vector_bits = 8.0 * static_cast<double>(core.baseline.vector_bytes);
  // An empty one is less than any other.
  return std::max(scaled(word_bits / swar_operations, core.scalar.integer),
                  scaled(vector_bits / swar_operations, core.baseline.swar_mix));
}

std::optional<double> simd_limit(const SimdKernel& kernel, const CoreCeilings& core) {
  return scaled(kernel.macs_per_operation, core.chosen.simd_mix);
}

}  // namespace xnorbench
