// The epilogue (core/epilogue.h) for plans on a GPU. It owns the parameters there and makes the
// kernels' arguments.
#pragma once

#include "core/epilogue.h"
#include "kernels/arguments.h"

namespace xnorbench::cuda {

class DeviceEpilogue {
 public:
  DeviceEpilogue(const ConvProblem& problem, const EpilogueParameters& parameters, Ledger& ledger);

  /// As Epilogue's.
  bool keeps_sums() const { return destination_ == Destination::acc; }
  /// Whether a convolution of `groups` groups can write the signs from its tiles of 64 channels:
  /// they are bits, and each word holds 64 channels in order. True if no signs are wanted.
  bool is_tile_aligned(std::int64_t groups) const;

  EpilogueArguments arguments(const Output& output) const;

 private:
  Destination destination_;
  std::int64_t channels_;
  PackedFormat next_;
  Buffer alpha_, bias_, limit_, flip_;
};

}  // namespace xnorbench::cuda
