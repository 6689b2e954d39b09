// A way to run a network.
#pragma once

#include <cstdint>

#include "core/implementation.h"
#include "networks/compile/policy.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// Images of a pass, at most.
inline constexpr std::int64_t most_images = 65536;

struct NetworkSetting {
  const Implementation* implementation = nullptr;
  FloatBackend float_backend =
      FloatBackend::onednn;  ///< as asked for; effective_float_backend() tells what runs
  Resources resources;
  Policy policy = arena_policy();
};

}  // namespace xnorbench
