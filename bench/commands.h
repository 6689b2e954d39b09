// The subcommands. Each returns the program's exit status.
#pragma once

#include "bench/cli/options.h"

namespace xnorbench {

int run_list(const Options& options);
int run_check(const Options& options);
int run_conv(const Options& options);
int run_gemm(const Options& options);
int run_network(const Options& options);
int run_memory(const Options& options);
int run_reproduce(const Options& options);
int run_peak(const Options& options);

}  // namespace xnorbench
