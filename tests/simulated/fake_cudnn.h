// What tests may ask of and tell the stand-in for cuDNN.
#pragma once

namespace xnorbench::cuda {

extern int calls;              ///< of convolutions, so far
extern bool supports_nothing;  ///< as for a shape that cuDNN has no algorithm for

}  // namespace xnorbench::cuda
