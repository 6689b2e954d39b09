// From the types of core/ to those of the kernels.
#pragma once

#include "core/implementation.h"
#include "core/packed_input.h"
#include "core/problem.h"
#include "kernels/arguments.h"

namespace xnorbench::cuda {

/// Kernels count in an int. Throws InputError for a count that does not fit. Implementations reject
/// such problems before.
int to_int(std::int64_t count);
/// Pixels of a tensor with `stride` floats each. Throws InputError if an int cannot count its
/// floats.
int to_pixels(std::int64_t pixels, std::int64_t stride);
/// Whether all counts of a convolution fit: elements of tensors, weights in whole tiles, and blocks
/// of a grid.
Support counts_fit(const ConvShape& shape);

inline TensorArguments convert(FloatTensor tensor) { return {tensor.data, to_int(tensor.stride)}; }
inline ConstTensorArguments convert(ConstFloatTensor tensor) {
  return {tensor.data, to_int(tensor.stride)};
}
inline AffineArguments convert(AffineView affine) { return {affine.scale, affine.shift}; }
PackedArguments convert(const PackedFormat& format, void* packed_input);
WindowArguments window_of(const ConvShape& shape);

}  // namespace xnorbench::cuda
