// The real-valued hourglass without FMA: as on the i7-3820, on which a published time was measured.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/cli/options.h"

namespace xnorbench {

/// Measurements of a process that may not use FMA.
struct WithoutFma {
  /// By implementation; empty if this machine has no FMA anyway.
  std::map<std::string, double> median_ns;
  std::string command;  ///< the command line that repeats it
};

/// Starts this program again on face_alignment_real with OPENBLAS_CORETYPE=SANDYBRIDGE and
/// ONEDNN_MAX_CPU_ISA=AVX: a new process, since OpenBLAS and oneDNN choose kernels when they are
/// loaded. Its run goes to `folder`; a finished run that is already there is used. Ctrl-C ends it,
/// under an InterruptGuard. Throws InputError if it fails, std::logic_error if its result is wrong.
WithoutFma measure_without_fma(const Options& options, const std::filesystem::path& folder);

}  // namespace xnorbench
