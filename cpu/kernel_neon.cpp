// The pair table on the 128-bit vectors of AArch64.
#include <arm_neon.h>

#include <xsimd/xsimd.hpp>

#include "cpu/pair_table.h"

namespace xnorbench {
namespace {

struct Neon {
  using Bytes = xsimd::batch<std::uint8_t, xsimd::neon64>;
  using Halves = xsimd::batch<std::uint16_t, xsimd::neon64>;
  static constexpr std::int64_t lanes = Bytes::size;
  static constexpr std::int64_t vectors = 4;

  static Bytes zero_bytes() { return Bytes(std::uint8_t{0}); }
  static Bytes load(const std::byte* p) {
    return Bytes(vld1q_u8(reinterpret_cast<const std::uint8_t*>(p)));
  }
  static Bytes load_table(const std::uint8_t* row) { return Bytes(vld1q_u8(row)); }
  static Bytes shuffle(Bytes table, Bytes index) {
    return Bytes(vqtbl1q_u8(table.data, index.data));
  }
  static Bytes add(Bytes a, Bytes b) { return a + b; }
  static Bytes shift_right_4(Bytes a) {
    return Bytes(vreinterpretq_u8_u16(vshrq_n_u16(vreinterpretq_u16_u8(a.data), 4)));
  }

  static Halves halves(Bytes a) { return Halves(vreinterpretq_u16_u8(a.data)); }
  static Halves zero_halves() { return Halves(std::uint16_t{0}); }
  static Halves broadcast(std::int16_t value) { return Halves(static_cast<std::uint16_t>(value)); }
  static Halves load_halves(const std::int16_t* p) {
    return Halves(vreinterpretq_u16_s16(vld1q_s16(p)));
  }
  static void store_halves(std::int16_t* p, Halves a) {
    vst1q_s16(p, vreinterpretq_s16_u16(a.data));
  }
  static Halves add16(Halves a, Halves b) { return a + b; }
  static Halves sub(Halves a, Halves b) { return a - b; }
  static Halves shift_right_8(Halves a) { return Halves(vshrq_n_u16(a.data, 8)); }
  static Halves shift_left_4(Halves a) { return Halves(vshlq_n_u16(a.data, 4)); }
  static Halves low_byte(Halves a) { return a & Halves(std::uint16_t{255}); }
};

}  // namespace

constexpr std::int64_t block_bytes = std::int64_t{16} << 10;  // of a 32 KiB L1 cache
const SimdKernel neon_kernel = PairKernel<Neon>::kernel("neon", block_bytes);

}  // namespace xnorbench
