// The .npy format of NumPy, versions 1 to 3, little-endian float32 in C order only
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xnorbench {

struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// Throws InputError that names the file and what is wrong with it.
NpyArray read_npy(const std::string& file);

/// Whole or not at all; throws InputError when it cannot.
void write_npy(const std::string& file, const NpyArray& array);

}  // namespace xnorbench
