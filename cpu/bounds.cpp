#include "cpu/bounds.h"

#include <algorithm>

namespace xnorbench {
namespace {

constexpr double word_bits = 64;
constexpr double popcnt_operations = 3, swar_operations = 12, masked_operations = 17;
constexpr double masked_word_bits = 32;

std::optional<double> scaled(double factor, std::optional<double> rate) {
  return rate ? std::optional(factor * *rate) : std::nullopt;
}

/// The bound of `operations` operations for a word of `bits` bits, on general registers or, as
/// compilers do, on baseline vectors full of such words.
std::optional<double> arithmetic_bound(const CorePeakRates& core, double bits, double operations) {
  const auto vector_bits = 8.0 * static_cast<double>(core.baseline.vector_bytes);
  // An empty bound is less than any other.
  return std::max(scaled(bits / operations, core.scalar.integer),
                  scaled(vector_bits / operations, core.baseline.swar_mix));
}

}  // namespace

std::optional<double> f32_bound(const CorePeakRates& core) {
  return scaled(static_cast<double>(core.best.vector_bytes) / sizeof(float),
                core.best.multiply_add);
}

std::optional<double> dot_product_bound(const CorePeakRates& core) {
  return scaled(static_cast<double>(core.best.vector_bytes), core.best.dot_product);
}

std::optional<double> popcnt_bound(const CorePeakRates& core) {
  if (!core.scalar.integer || !core.scalar.popcnt) return std::nullopt;
  return word_bits * std::min(*core.scalar.popcnt, *core.scalar.integer / popcnt_operations);
}

std::optional<double> swar_bound(const CorePeakRates& core) {
  return arithmetic_bound(core, word_bits, swar_operations);
}

std::optional<double> masked_popcount_bound(const CorePeakRates& core) {
  return arithmetic_bound(core, masked_word_bits, masked_operations);
}

std::optional<double> simd_bound(const SimdKernel& kernel, const CorePeakRates& core) {
  return scaled(kernel.macs_per_operation, core.chosen.simd_mix);
}

}  // namespace xnorbench
