// The epilogue: what becomes of a layer's exact sums. They are kept, scaled into a float tensor, or
// binarised for the next layer. One loop over tiles of sums, shared by all implementations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/batch_norm.h"
#include "core/memory.h"
#include "core/packed_input.h"
#include "core/parallel.h"
#include "core/problem.h"
#include "core/row_loops.h"

namespace xnorbench {

enum class SumType {
  i16,  ///< K of at most largest_i16_k
  i32,
  f32,
};
std::size_t size_of(SumType type);

/// 2^15 - 2: in 16 bits, a threshold that no sum reaches takes one value more than the sums.
constexpr std::int64_t largest_i16_k = 32766;

/// One value per output channel. The destination decides which of them are needed.
struct EpilogueParameters {
  std::vector<float> alpha;  ///< f32, f32_sign: mean of |w| over the channel
  std::vector<float> bias;   ///< added after alpha; empty means zeros, which take no memory
  std::vector<SumThreshold> thresholds;  ///< sign, f32_sign
  PackedFormat next;                     ///< sign, f32_sign: form of the packed input written
};

/// Where one run writes. Exactly the parts that the problem's destination names are set. All are
/// channels-last.
struct Output {
  /// acc: dense, of type Plan::sum_type.
  void* sums = nullptr;
  /// f32: value = layer_value(alpha, sum, bias). `data` may be null if only value_signs are wanted.
  FloatTensor values;
  /// Optional with f32: value = fl(value + addend). May be `values` itself.
  ConstFloatTensor addend;
  /// sign: sign(batch norm(value)), value before the addend, in EpilogueParameters::next.
  void* signs = nullptr;
  /// Optional with f32: signs of the values, after the addend. Only on devices whose elementwise
  /// operations write signs too.
  std::span<const SignTarget> value_signs;
};

/// The epilogue of one plan. Owns its parameters in the ledger.
class Epilogue {
 public:
  /// `sums`: type of the sums that apply() will be given.
  Epilogue(const ConvProblem& problem, const EpilogueParameters& parameters, SumType sums,
           Ledger& ledger, Isa isa);

  /// True if the sums are the output. The implementation then writes Output::sums itself and does
  /// not call apply().
  bool keeps_sums() const { return destination_ == Destination::acc; }

  /// Takes the sums of `pixels` output pixels from `first_pixel` on (in the order N, H, W), all
  /// channels, dense. Never for acc. Threads may call it at the same time for different pixels.
  void apply(const std::int16_t* sums, std::int64_t first_pixel, std::int64_t pixels,
             const Output& output) const;
  void apply(const std::int32_t* sums, std::int64_t first_pixel, std::int64_t pixels,
             const Output& output) const;
  void apply(const float* sums, std::int64_t first_pixel, std::int64_t pixels,
             const Output& output) const;

 private:
  template <typename Sum, typename Limit>
  void apply_tile(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t first_pixel,
                  std::int64_t pixels, const Output& output) const;
  template <typename Sum, typename Limit>
  void write_values(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t first_pixel,
                    std::int64_t pixels, const Output& output) const;
  template <typename Sum, typename Limit>
  void write_signs(const SumLoops<Sum, Limit>& loops, const Sum* sums, std::int64_t first_pixel,
                   std::int64_t pixels, const Output& output) const;

  Destination destination_;
  std::int64_t channels_;
  PackedFormat next_;
  const RowLoops& loops_;
  Buffer alpha_, bias_;  // float
  Buffer limit_, flip_;  // int16 if the sums are, otherwise int32
};

/// Applies the epilogue with all threads, for a library that computes many pixels at once.
template <typename Sum>
void apply_in_parallel(const Epilogue& epilogue, const Sum* sums, std::int64_t first_pixel,
                       std::int64_t pixels, std::int64_t channels, int threads,
                       const Output& output) {
  for_each_stretch(pixels, threads, [&](std::int64_t first, std::int64_t count) {
    epilogue.apply(sums + first * channels, first_pixel + first, count, output);
  });
}

}  // namespace xnorbench
