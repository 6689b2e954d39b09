// How a network is run.
#pragma once

#include <cstdint>

#include "core/implementation.h"
#include "networks/compile/policy.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// The largest batch of a network.
inline constexpr std::int64_t most_images = 65536;

struct NetworkSetting {
  const Implementation* implementation = nullptr;
  FloatBackend float_backend =
      FloatBackend::onednn;  ///< as asked for; effective_float_backend() tells what runs
  Resources resources;
  Policy policy = arena_policy();
};

}  // namespace xnorbench
