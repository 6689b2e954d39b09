// Binary convolution on packed bits by scalar words. cpu_xnor_swar and cpu_xnor_popcnt share all of
// it and bring only their inner kernels.
//
// Output pixels are taken in tiles. The bits under the window of each pixel are gathered into one
// row of words. This is im2col on bits, 32 times smaller than on floats. The inner kernel then
// multiplies two bit matrices, rows of pixels by blocks of output channels, and need not look for
// edges. The rows and sums of a tile stay in the L1 cache, where the epilogue reads the sums.
//
// Padding. -1 and +1 are gathered as words of ones or zeros. A true 0 is gathered as +1, and its
// share of the sum is taken back (cpu/zero_padding.h).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/implementation.h"
#include "cpu/bit_tile.h"
#include "cpu/zero_padding.h"

namespace xnorbench {

class BitConvolutionPlan final : public Plan {
 public:
  BitConvolutionPlan(const BitKernel& kernel, const PackedFormat& format,
                     const ConvProblem& problem, const Weights& weights, Context& context);

  KernelName kernel() const override { return {kernel_.isa, ""}; }
  SumType sum_type() const override { return SumType::i32; }
  MemoryUse workspace() const override;
  void run(const void* source, const Output& output, std::byte* workspace) override;

 private:
  void pack_weights(std::span<const float> values);
  std::size_t rows_bytes() const;
  void run_tile(const std::uint64_t* source, std::int64_t first, std::int64_t pixels,
                std::uint64_t* rows, std::int32_t* sums) const;
  void gather(const std::uint64_t* source, std::int64_t group, std::int64_t pixel,
              std::uint64_t* row) const;

  BitKernel kernel_;
  ConvProblem problem_;
  PackedFormat format_;
  int threads_;
  std::int64_t out_height_, out_width_;
  std::int64_t words_ = 0;   // of one row: taps * words per tap
  std::int64_t blocks_ = 0;  // of output channels per group
  std::int64_t tile_pixels_ = 0;
  std::vector<std::uint64_t> pad_words_;  // one tap outside the tensor
  Buffer packed_;                         // group x block x word x channel of the block
  ZeroPadding zero_padding_;
  Epilogue epilogue_;
};

/// An implementation that brings only an inner kernel. It supports every problem.
class BitImplementation final : public Implementation {
 public:
  /// `extension`: an extension that the machine must have (Machine::has); empty for plain C++.
  /// `bound`: as Implementation::bound (cpu/bounds.h); null if no bound is known.
  BitImplementation(ImplementationInfo info, const BitKernel& kernel, std::string extension,
                    std::optional<double> (*bound)(const CorePeakRates&) = nullptr)
      : info_(std::move(info)), kernel_(kernel), extension_(std::move(extension)), bound_(bound) {}

  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine& machine) const override;
  Support supports(const ConvProblem&, const Machine& machine) const override {
    return available(machine);
  }
  /// Bits, a word boundary per group.
  PackedFormat source_format(const ConvProblem& problem) const override;
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override;
  std::optional<double> bound(const CorePeakRates& core) const override {
    return bound_ ? bound_(core) : std::nullopt;
  }

 private:
  ImplementationInfo info_;
  BitKernel kernel_;
  std::string extension_;
  std::optional<double> (*bound_)(const CorePeakRates&);
};

}  // namespace xnorbench
