// The pair table on 256-bit vectors. Compiled for AVX2: nothing here but the kernel.
#include <immintrin.h>

#include <xsimd/xsimd.hpp>

#include "cpu/pair_table.h"

namespace xnorbench {
namespace {

struct Avx2 {
  using Bytes = xsimd::batch<std::uint8_t, xsimd::avx2>;
  using Halves = xsimd::batch<std::uint16_t, xsimd::avx2>;
  static constexpr std::int64_t lanes = Bytes::size;
  // Eight counters, the tables and intermediate results fill the sixteen registers.
  static constexpr std::int64_t vectors = 4;

  static Bytes zero_bytes() { return Bytes(std::uint8_t{0}); }
  static Bytes load(const std::byte* p) {
    return Bytes(_mm256_load_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Bytes load_table(const std::uint8_t* row) {
    return Bytes(
        _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(row))));
  }
  static Bytes shuffle(Bytes table, Bytes index) {
    return Bytes(_mm256_shuffle_epi8(table.data, index.data));
  }
  static Bytes add(Bytes a, Bytes b) { return a + b; }
  static Bytes shift_right_4(Bytes a) { return Bytes(_mm256_srli_epi16(a.data, 4)); }

  static Halves halves(Bytes a) { return Halves(a.data); }
  static Halves zero_halves() { return Halves(std::uint16_t{0}); }
  static Halves broadcast(std::int16_t value) { return Halves(static_cast<std::uint16_t>(value)); }
  static Halves load_halves(const std::int16_t* p) {
    return Halves(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static void store_halves(std::int16_t* p, Halves a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), a.data);
  }
  static Halves add16(Halves a, Halves b) { return a + b; }
  static Halves sub(Halves a, Halves b) { return a - b; }
  static Halves shift_right_8(Halves a) { return Halves(_mm256_srli_epi16(a.data, 8)); }
  static Halves shift_left_4(Halves a) { return Halves(_mm256_slli_epi16(a.data, 4)); }
  static Halves low_byte(Halves a) { return a & Halves(std::uint16_t{255}); }
};

}  // namespace

constexpr std::int64_t block_bytes = std::int64_t{24} << 10;  // of a 32 KiB L1 cache
const SimdKernel avx2_kernel = PairKernel<Avx2>::kernel("avx2", block_bytes);

}  // namespace xnorbench
