// Lists of layer shapes: shape files, and --shapes. A shape file holds one shape a line; '#' begins
// a comment. The files in data/shapes come with the program and are found by name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace xnorbench {

/// A shape file that comes with the program.
struct ShapeFile {
  std::string name;         ///< the file's name without ".txt"
  std::string description;  ///< its first line, without the '#'
  std::filesystem::path path;
};

/// Those in data/shapes, by name.
std::vector<ShapeFile> all_shape_files();

/// How a shape is written.
struct ShapeFormat {
  ConvProblem (*parse)(std::string_view text);  ///< throws InputError
  const char* example;
};
inline constexpr ShapeFormat conv_shapes = {parse_problem, "ic64_ih56_oc64_kh3_ph1"};

/// The problems of a comma-separated list, in order. Each part of it is one of
///  - a file of one's own: the part ends in ".txt" or contains '/';
///  - a shape;
///  - the name of a shape file that comes with the program.
/// Spaces beside commas do not count. Throws InputError that names the part, or the file and line.
std::vector<ConvProblem> load_problems(const std::string& shapes,
                                       const ShapeFormat& format = conv_shapes);

}  // namespace xnorbench
