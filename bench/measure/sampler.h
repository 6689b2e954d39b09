// Takes the samples of one repetition of one case.
#pragma once

#include <functional>
#include <string>

#include "core/device.h"

namespace xnorbench {

enum class Cache { hot, cold };
std::string to_string(Cache cache);
/// Throws InputError for an unknown word.
Cache parse_cache(const std::string& word);

/// How a repetition is sampled.
struct SamplePlan {
  int samples = 1;
  int calls_per_sample = 1;  ///< timed together, so that the clock's own cost does not show

  /// About `seconds` of samples if one call takes `call_ns` and emptying the cache before it
  /// `evict_ns` (0: hot), each of at least `shortest_ns`; at least one sample and at most 1000.
  static SamplePlan for_duration(double call_ns, double evict_ns, double seconds,
                                 double shortest_ns);
};

/// Time of one call in ns on the host's clock.
double time_once(const std::function<void()>& call);

struct Sample {
  double ns = 0;  ///< per call, on the device's clock
  double host_ns =
      0;  ///< per call, from the first call to the end of the last one's work on the host's clock
};

/// For a cold cache the last level is evicted first, outside the time.
Sample take_sample(const SamplePlan& plan, Cache cache, Device& device,
                   const std::function<void()>& call);

}  // namespace xnorbench
