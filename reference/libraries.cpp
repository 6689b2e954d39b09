#include "reference/libraries.h"

#include <fmt/format.h>

#if XNORBENCH_HAVE_ONEDNN
#include <oneapi/dnnl/dnnl.h>
#endif
#if XNORBENCH_HAVE_OPENBLAS
#include <cblas.h>
#endif

namespace xnorbench {

std::map<std::string, std::string> library_versions() {
  std::map<std::string, std::string> versions{{"onednn", ""}, {"openblas", ""}};
#if XNORBENCH_HAVE_ONEDNN
  const dnnl_version_t* onednn = dnnl_version();
  versions["onednn"] = fmt::format("{}.{}.{}", onednn->major, onednn->minor, onednn->patch);
#endif
#if XNORBENCH_HAVE_OPENBLAS
  versions["openblas"] = fmt::format("{}, core {}", openblas_get_config(), openblas_get_corename());
#endif
  return versions;
}

}  // namespace xnorbench
