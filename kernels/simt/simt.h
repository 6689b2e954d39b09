// CUDA's language for a host compiler. kernels/language.h includes it when nvcc does not compile.
#pragma once

#include "kernels/simt/execution.h"
#include "kernels/simt/intrinsics.h"
#include "kernels/simt/run.h"
#include "kernels/simt/types.h"
#include "kernels/simt/warp.h"
