// A way to run a network.
#pragma once

#include <cstdint>

#include "core/implementation.h"
#include "networks/policy.h"
#include "reference/real_convolution.h"

namespace xnorbench {

/// Images of a pass, at most.
inline constexpr std::int64_t most_images = 65536;

struct NetworkSetting {
  const Implementation* implementation = nullptr;
  RealLayers real_layers = RealLayers::onednn;  ///< as asked for; effective_real_layers() tells what runs
  Resources resources;
  Policy policy = arena_policy();
};

}  // namespace xnorbench
