#include "core/error.h"

namespace xnorbench {

void throw_unknown(const std::string& what, const std::string& name, const std::string& known) {
  throw InputError("unknown " + what + " '" + name + "'; known: " + known);
}

}  // namespace xnorbench
