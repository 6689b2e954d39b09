// Takes the samples of one repetition of one case.
#pragma once

#include <functional>
#include <string>

#include "core/device.h"

namespace xnorbench {

enum class Cache { hot, cold };
std::string to_string(Cache cache);
/// Throws InputError for an unknown name.
Cache parse_cache(const std::string& name);

/// How a repetition is sampled.
struct SamplePlan {
  int samples = 1;
  int calls_per_sample = 1;  ///< timed together, to hide the cost of reading the clock

  /// About `seconds` of samples, where one call takes `call_ns` and emptying the cache before it
  /// `evict_ns` (0: hot). A sample takes at least `shortest_ns`. There are 1 to 1000 of them.
  static SamplePlan for_duration(double call_ns, double evict_ns, double seconds,
                                 double shortest_ns);
};

/// Time of one call in ns on the host's clock.
double time_once(const std::function<void()>& call);

struct Sample {
  // Both per call. The host's time ends when the work of the last call has ended.
  double ns = 0;       ///< on the device's clock
  double host_ns = 0;  ///< on the host's clock
};

/// For a cold cache, the last level is evicted before the time begins.
Sample take_sample(const SamplePlan& plan, Cache cache, Device& device,
                   const std::function<void()>& call);

}  // namespace xnorbench
