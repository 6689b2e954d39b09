// The AVX-512 intrinsics: the compiler's own, or for tests SIMDe's emulation, which runs on
// machines without AVX-512.
#pragma once

#if defined(XNORBENCH_EMULATE_AVX512)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#else
#include <immintrin.h>
#endif
