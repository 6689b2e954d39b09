// The launchers of all kernels. C++17 and no CUDA header, so that host code includes it in any
// build. Launches are asynchronous on `stream`. If the device refuses a launch, std::runtime_error
// names the kernel.
#pragma once

#include "kernels/arguments.h"

struct CUstream_st;

namespace xnorbench::cuda {

using Stream = CUstream_st*;

/// Throws std::runtime_error if the last launch was refused.
void check_launch(const char* kernel);

/// Packs sign(affine(tensor)) (sign_pass.cu).
void launch_sign_pass(const PackedArguments& packed_input, bool zero_is_plus, int pixels,
                      const ConstTensorArguments& tensor, const AffineArguments& affine,
                      Stream stream);

/// Binary convolution with its epilogue in the same kernel (xnor_convolution.cu). `pixel_tile`:
/// output pixels of a block, 16 or 64. Signs, if wanted, must be words of `channel_tile` channels
/// in order (DeviceEpilogue::is_tile_aligned).
void launch_xnor_convolution(const XnorArguments& convolution, const EpilogueArguments& epilogue,
                             int pixel_tile, Stream stream);

/// The epilogue of sums in memory (epilogue.cu). `offset`: null, or a float for each channel, which
/// is added to its sums first.
void launch_epilogue(const int* sums, int pixels, const EpilogueArguments& epilogue, Stream stream);
void launch_epilogue(const float* sums, const float* offset, int pixels,
                     const EpilogueArguments& epilogue, Stream stream);

/// tensor += offset[c], and the operations of core/elementwise.h (elementwise.cu).
void launch_add_per_channel(float* tensor, const float* offset, int pixels, int channels,
                            Stream stream);
void launch_affine_relu(int pixels, int channels, const ConstTensorArguments& a,
                        const AffineArguments& affine, bool with_relu, float slope,
                        const TensorArguments& out, Stream stream);
void launch_add(int pixels, int channels, const ConstTensorArguments& a,
                const ConstTensorArguments& addend, const TensorArguments& out, Stream stream);
void launch_average_pool(const PoolArguments& pool, Stream stream);
void launch_max_pool(const PoolArguments& pool, Stream stream);
void launch_upsample_add(int batch, int height, int width, int channels,
                         const ConstTensorArguments& a, const ConstTensorArguments& addend,
                         const TensorArguments& out, Stream stream);

/// Float convolution (direct_convolution.cu), exact if all products and partial sums are.
void launch_direct_convolution(const DirectArguments& arguments, Stream stream);

/// The im2col buffer of a band of output pixels (im2col.cu).
void launch_im2col(const Im2colArguments& arguments, Stream stream);

/// Keeps one thread busy for at least `cycles` cycles of the core clock and writes their number to
/// `elapsed` (clock.cu).
void launch_clock(long long cycles, long long* elapsed, Stream stream);

}  // namespace xnorbench::cuda
