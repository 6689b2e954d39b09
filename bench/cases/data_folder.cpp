#include "bench/cases/data_folder.h"

#include "bench/records/build_info.h"

namespace xnorbench {

std::filesystem::path data_folder() { return build_info::data_folder; }

}  // namespace xnorbench
