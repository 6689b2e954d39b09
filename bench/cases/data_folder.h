// Where the files are that come with the program: data/ of the source tree.
#pragma once

#include <filesystem>

namespace xnorbench {

std::filesystem::path data_folder();

}  // namespace xnorbench
