// Binary convolution by a vector kernel (cpu/simd_kernel.h). This is all of cpu_xnor_simd except
// the inner loops.
//
// Output pixels are taken in bands of a few rows of up to 64 pixels. The input rows under a band
// are expanded once, with their border, into the kernel's units. There the window of each pixel is
// a few stretches of memory, one for each kernel row. The loops, from the outside: band, group,
// block of output channels, part of K whose weights fit the L1 cache, and inside the kernel tiles
// of pixels of all rows. The sums of a band stay in the caches until the epilogue.
//
// Sums have 16 bits if K allows. For a larger K the counts of its parts are added up in 32 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/implementation.h"
#include "cpu/simd_blocking.h"
#include "cpu/simd_kernel.h"
#include "cpu/zero_padding.h"

namespace xnorbench {

class SimdConvolutionPlan final : public Plan {
 public:
  SimdConvolutionPlan(const SimdKernel& kernel, const PackedFormat& format,
                      const ConvProblem& problem, const Weights& weights, Context& context);

  KernelName kernel() const override { return {kernel_.isa, ""}; }
  SumType sum_type() const override { return sum_type_; }
  MemoryUse workspace() const override;
  void run(const void* source, const Output& output, std::byte* workspace) override;

 private:
  /// Sizes as the loops see them: a pointwise layer is one row of all pixels.
  struct Geometry {
    std::int64_t images, in_height, in_width, out_height, out_width;
  };
  struct Band {
    std::int64_t image, row, column, rows, columns;  ///< of the output
  };
  /// Bytes of the buffers in a thread's share of the workspace; 0 if a problem does not need one.
  struct ScratchSizes {
    std::size_t activations, sums, wide_sums, dense;
    std::size_t total() const { return activations + sums + wide_sums + dense; }
  };
  struct Scratch {
    std::byte* activations;
    std::int16_t* sums;       ///< of a band and group, channels rounded up to vectors
    std::int32_t* wide_sums;  ///< the same for i32
    std::byte* dense;         ///< of a band, all channels, sum_type(); unused if written in place
  };

  /// The kernel can write final sums in place: its vectors end where a group's channels do.
  bool kernel_fills_channels() const {
    return sum_type_ == SumType::i16 && padded_channels_ == problem_.shape.group_out_channels();
  }
  void choose_bands();
  ScratchSizes choose_scratch() const;
  Scratch divide(std::byte* workspace) const;
  Band band_at(std::int64_t index) const;
  void run_band(const std::uint64_t* source, const Band& band, const Output& output,
                const Scratch& scratch) const;
  /// Expands what the windows of a band cover, border and all, of one group.
  void expand(const std::uint64_t* source, const Band& band, std::int64_t group,
              const Scratch& scratch) const;
  void run_block(const Band& band, std::int64_t group, const SimdBlock& block,
                 const Scratch& scratch, std::int16_t* sums, std::int64_t sums_stride,
                 std::int32_t* wide_sums) const;
  template <typename Sum>
  void run_groups(const std::uint64_t* source, const Band& band, const Scratch& scratch,
                  Sum* dense) const;
  /// Index among the output's pixels of the first one in row `row` of a band.
  std::int64_t pixel_at(const Band& band, std::int64_t row) const;

  SimdKernel kernel_;
  ConvProblem problem_;
  int threads_;
  SumType sum_type_;
  Geometry geometry_{};
  ScratchSizes scratch_sizes_{};
  std::int64_t group_words_ = 0, pixel_words_ = 0;  // of the packed activations
  std::int64_t units_ = 0;                          // of one tap and group
  std::int64_t band_rows_ = 1, band_columns_ = 1;
  std::int64_t expanded_columns_ = 0;  // of a row under a band
  std::int64_t row_bytes_ = 0;         // of such a row
  std::int64_t padded_channels_ = 0;   // of a group, rounded up to vectors
  std::int64_t group_weight_bytes_ = 0;
  std::vector<SimdStretch> stretches_;
  std::vector<SimdBlock> blocks_;
  std::vector<std::vector<SimdPart>> parts_;  // of a block of 1, 2, ... vectors
  std::vector<std::uint64_t> pad_words_;      // one tap outside the tensor
  Buffer packed_;                             // group x block x unit x channel of the block
  ZeroPadding zero_padding_;
  Epilogue epilogue_;
};

}  // namespace xnorbench
