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

/// Throws InputError unless a file of this name can be written: before hours of measuring, not after.
void require_writable(const std::string& file);

/// By way of another name, so that an existing file is replaced whole or not at all.
void write_npy(const std::string& file, const NpyArray& array);

}  // namespace xnorbench
