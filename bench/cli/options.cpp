#include "bench/cli/options.h"

namespace xnorbench {

std::vector<CpuShare> cpu_shares(const Options& options) {
  std::vector<CpuShare> shares;
  for (int threads : options.threads)
    for (Isa isa : options.isas) shares.emplace_back(threads, isa);
  return shares;
}

std::vector<std::int64_t> network_batches(const Options& options) {
  return options.batches.empty() ? std::vector<std::int64_t>{1} : options.batches;
}

void for_each_setting(
    const Options& options,
    const std::function<void(const Implementation&, const Resources&, Cache)>& f) {
  const std::vector<CpuShare> shares = cpu_shares(options);
  for (const CpuShare& share : shares)
    for (Cache cache : options.caches)
      for (const Implementation* implementation : options.implementations)
        if (implementation->info().device == "cpu")
          f(*implementation, {share, options.workspace_limit_bytes}, cache);
        else if (&share == &shares.front())
          f(*implementation, {CpuShare{}, options.workspace_limit_bytes}, cache);
}

}  // namespace xnorbench
