// The pair table on 512-bit vectors, for processors without VPOPCNTW. Compiled for AVX-512 F and
// BW: nothing here but the kernel.
#include "cpu/avx512.h"
#include "cpu/pair_table.h"

namespace xnorbench {
namespace {

struct Avx512 {
  using Bytes = __m512i;
  using Halves = __m512i;
  static constexpr std::int64_t lanes = 64;
  static constexpr std::int64_t vectors = 4;

  static Bytes zero_bytes() { return _mm512_setzero_si512(); }
  static Bytes load(const std::byte* p) { return _mm512_load_si512(p); }
  static Bytes load_table(const std::uint8_t* row) {
    return _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(row)));
  }
  static Bytes shuffle(Bytes table, Bytes index) { return _mm512_shuffle_epi8(table, index); }
  static Bytes add(Bytes a, Bytes b) { return _mm512_add_epi8(a, b); }
  static Bytes shift_right_4(Bytes a) { return _mm512_srli_epi16(a, 4); }

  static Halves halves(Bytes a) { return a; }
  static Halves zero_halves() { return _mm512_setzero_si512(); }
  static Halves broadcast(std::int16_t value) { return _mm512_set1_epi16(value); }
  static Halves load_halves(const std::int16_t* p) { return _mm512_loadu_si512(p); }
  static void store_halves(std::int16_t* p, Halves a) { _mm512_storeu_si512(p, a); }
  static Halves add16(Halves a, Halves b) { return _mm512_add_epi16(a, b); }
  static Halves sub(Halves a, Halves b) { return _mm512_sub_epi16(a, b); }
  static Halves shift_right_8(Halves a) { return _mm512_srli_epi16(a, 8); }
  static Halves shift_left_4(Halves a) { return _mm512_slli_epi16(a, 4); }
  static Halves low_byte(Halves a) { return _mm512_and_si512(a, _mm512_set1_epi16(255)); }
};

}  // namespace

constexpr std::int64_t block_bytes = std::int64_t{24} << 10;  // of a 32 KiB L1 cache
const SimdKernel avx512bw_kernel = PairKernel<Avx512>::kernel("avx512bw", block_bytes);

}  // namespace xnorbench
