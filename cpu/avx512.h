// The AVX-512 intrinsics: the compiler's, or SIMDe's emulation of them for tests on machines
// without.
#pragma once

#if defined(XNORBENCH_EMULATE_AVX512)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#else
#include <immintrin.h>
#endif
