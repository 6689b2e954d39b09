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

/// Throws InputError that names the file and says what is wrong with it.
NpyArray read_npy(const std::string& file);

/// Written whole or not at all. Throws InputError when it cannot be written.
void write_npy(const std::string& file, const NpyArray& array);

}  // namespace xnorbench
