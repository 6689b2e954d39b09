// Peak rates of 512-bit vectors. Compiled for AVX-512 F and BW: nothing here but the loops. The one
// of VNNI runs only on processors that have it.
#include "cpu/peak_rates_avx512.h"

namespace xnorbench {

const VectorLoops avx512bw_loops = avx512_loops;

}  // namespace xnorbench
