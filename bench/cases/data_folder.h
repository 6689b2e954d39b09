// Where the files are that come with the program: the folder data/ of the sources, in a prefix
// share/xnorbench.
#pragma once

#include <filesystem>

namespace xnorbench {

std::filesystem::path data_folder();

}  // namespace xnorbench
