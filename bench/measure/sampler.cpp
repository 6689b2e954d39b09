#include "bench/measure/sampler.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.h"

namespace xnorbench {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

constexpr double most_samples = 1000;
constexpr double most_calls = 1e9;

}  // namespace

std::string to_string(Cache cache) { return cache == Cache::hot ? "hot" : "cold"; }

Cache parse_cache(const std::string& name) {
  for (Cache cache : {Cache::hot, Cache::cold})
    if (to_string(cache) == name) return cache;
  throw_unknown("cache state", name, "hot, cold");
}

SamplePlan SamplePlan::for_duration(double call_ns, double evict_ns, double seconds,
                                    double shortest_ns) {
  SamplePlan plan;
  call_ns = std::max(call_ns, 1.0);
  const double total_ns = seconds * 1e9;
  // A sample is long enough for the clock, and there are not too many of them. A cold cache allows
  // one call: the second would find it warm.
  const bool hot = evict_ns <= 0.0;
  if (hot)
    plan.calls_per_sample = static_cast<int>(
        std::min(std::ceil(std::max(shortest_ns, total_ns / most_samples) / call_ns), most_calls));
  const double sample_ns = evict_ns + call_ns * plan.calls_per_sample;
  plan.samples = static_cast<int>(std::clamp(std::ceil(total_ns / sample_ns), 1.0, most_samples));
  return plan;
}

double time_once(const std::function<void()>& call) {
  const auto begin = Clock::now();
  call();
  return ns_since(begin);
}

Sample take_sample(const SamplePlan& plan, Cache cache, Device& device,
                   const std::function<void()>& call) {
  if (cache == Cache::cold) device.evict_caches();
  const auto begin = Clock::now();
  const double ns = device.time_ns([&] {
    for (int i = 0; i < plan.calls_per_sample; ++i) call();
  });
  return {ns / plan.calls_per_sample, ns_since(begin) / plan.calls_per_sample};
}

}  // namespace xnorbench
