// A network's input from a picture or an .npy file, its output to .npy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/graph.h"

namespace xnorbench {

/// `source` is one of
///  - a PNG or JPEG picture, or "portrait", which comes with the program: RGB in 0..1, resized to
///  the
///    network's input, the same for every image of the batch;
///  - an .npy file of float32, C x H x W or N x C x H x W with N = 1 or the batch;
///  - "random": uniform in 0..1 from `seed`.
/// Returns N, H, W, C. Throws InputError.
std::vector<float> load_input(const std::string& source, const TensorShape& shape,
                              std::uint64_t seed);

/// Writes a tensor (given as N, H, W, C) as float32 N x C x H x W. Throws InputError.
void write_npy(const std::string& file, const TensorShape& shape, const float* values);

}  // namespace xnorbench
