// CUDA's language for a host compiler: what kernels/language.h includes where nvcc does not
// compile.
#pragma once

#include "kernels/simt/execution.h"
#include "kernels/simt/intrinsics.h"
#include "kernels/simt/run.h"
#include "kernels/simt/types.h"
#include "kernels/simt/warp.h"
