// Inner kernels that are compiled for one instruction set each, in a file of its own.
#pragma once

#include "cpu/bit_tile.h"

namespace xnorbench {

#if defined(__x86_64__)
extern const BitKernel avx2_kernel;
#endif

}  // namespace xnorbench
