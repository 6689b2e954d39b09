// What a command was asked to do: its command line, parsed and checked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/session.h"
#include "bench/memory/budget_bytes.h"
#include "core/implementation.h"
#include "core/problem.h"
#include "networks/compile/policy.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// Values of the flags of all commands. A command reads those whose flags it takes; the others keep
/// the values below.
struct Options {
  std::vector<std::string> argv;  ///< the command line, for run.json

  std::vector<const Implementation*> implementations = find_implementations("*");
  std::string networks;               ///< names and files, comma-separated
  std::string shapes;                 ///< as load_problems() takes them
  std::vector<std::int64_t> batches;  ///< empty: what the shapes say, or 1
  std::vector<int> threads = {1};
  std::vector<Isa> isas = {best_isa()};
  std::vector<Source> sources;            ///< empty: what the shapes say
  std::vector<Destination> destinations;  ///< empty: what the shapes say
  std::vector<Cache> caches = {Cache::hot};
  SessionOptions session;
  std::string out;
  std::uint64_t seed = 1;
  std::string filter;
  std::int64_t fuzz = 0;
  std::string input;
  std::string output;
  std::string dump;      ///< a file for the network's graph as JSON, instead of measuring
  bool summary = false;  ///< print the layer table, instead of measuring
  std::optional<FloatBackend> float_backend;  ///< empty: the command's default
  bool profile = false;
  std::vector<const Policy*> policies;
  bool plan_only = false, detail = false;
  std::optional<Budget> budget;
  std::vector<std::string> claims;  ///< names, which may hold '*'; empty: all
  std::size_t workspace_limit_bytes = Resources{}.workspace_limit_bytes;
};

/// Each combination of threads and instruction set.
std::vector<CpuShare> cpu_shares(const Options& options);

/// Batches of whole networks: those asked for, or one image.
std::vector<std::int64_t> network_batches(const Options& options);

/// Calls f for each combination of implementation, instruction set, threads and cache state. A GPU
/// uses neither threads nor instruction sets of the CPU: f is called once for each cache state.
void for_each_setting(const Options& options,
                      const std::function<void(const Implementation&, const Resources&, Cache)>& f);

}  // namespace xnorbench
