// The real-valued hourglass as on a CPU without FMA, such as the i7-3820 that a published time is
// of.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/cli/options.h"

namespace xnorbench {

/// What a process that may not use FMA measured.
struct WithoutFma {
  /// By implementation; empty where the libraries cannot be told so.
  std::map<std::string, double> median_ns;
  std::string command;  ///< repeats it
};

/// Starts this program anew on face_alignment_real, since OpenBLAS and oneDNN choose their kernels
/// as they are loaded: OPENBLAS_CORETYPE=SANDYBRIDGE, ONEDNN_MAX_CPU_ISA=AVX. Its run goes to
/// `folder`; one that is there and finished is taken. Ctrl-C ends it, under an InterruptGuard.
/// Throws InputError when the process fails, std::logic_error when its result was wrong.
WithoutFma measure_without_fma(const Options& options, const std::filesystem::path& folder);

}  // namespace xnorbench
