#include "bench/cases/data_folder.h"

#include "core/files.h"

namespace xnorbench {

std::filesystem::path data_folder() { return shipped_file("data", "../share/xnorbench"); }

}  // namespace xnorbench
