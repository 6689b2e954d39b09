// From the types of core/ to those of the kernels.
#pragma once

#include "core/implementation.h"
#include "core/operand.h"
#include "core/problem.h"
#include "kernels/arguments.h"

namespace xnorbench::cuda {

/// Kernels count in an int. Throws InputError for what does not fit; implementations say so before.
int to_int(std::int64_t count);
/// Pixels of a map of so many floats each, all of which must be countable.
int to_pixels(std::int64_t pixels, std::int64_t stride);
/// Whether all counts of a convolution fit: elements of maps and weights in whole tiles, blocks of a grid.
Support counts_fit(const ConvShape& shape);

inline MapArguments convert(FloatMap map) { return {map.data, to_int(map.stride)}; }
inline ConstMapArguments convert(ConstFloatMap map) { return {map.data, to_int(map.stride)}; }
inline AffineArguments convert(AffineView affine) { return {affine.scale, affine.shift}; }
OperandArguments convert(const OperandFormat& format, void* operand);
WindowArguments window_of(const ConvShape& shape);

}  // namespace xnorbench::cuda
