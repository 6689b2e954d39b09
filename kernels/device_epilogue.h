// core/epilogue.h for plans on a GPU: owns the parameters there and tells the kernels where to
// write.
#pragma once

#include "core/epilogue.h"
#include "kernels/arguments.h"

namespace xnorbench::cuda {

class DeviceEpilogue {
 public:
  DeviceEpilogue(const ConvProblem& problem, const EpilogueParameters& parameters, Ledger& ledger);

  /// As Epilogue's.
  bool keeps_sums() const { return destination_ == Destination::acc; }
  /// Whether the signs are bits whose words hold 64 channels each in order, as a convolution of
  /// `groups` groups can write them from its tiles of 64 channels; true when no signs are wanted.
  bool is_tile_aligned(std::int64_t groups) const;

  EpilogueArguments arguments(const Output& output) const;

 private:
  Destination destination_;
  std::int64_t channels_;
  PackedFormat next_;
  Buffer alpha_, bias_, limit_, flip_;
};

}  // namespace xnorbench::cuda
