// The command line, parsed and checked.
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

enum class Command { list, check, gemm, conv, network, memory, reproduce, peak };

/// Flags of all commands; a command reads those that it accepts.
struct Options {
  Command command = Command::list;
  std::vector<std::string> words;  ///< the command line, for run.json

  std::vector<const Implementation*> implementations;
  std::string networks;  ///< empty: the command's default
  std::string shapes;    ///< problem texts or a file of them; empty: the command's default
  std::vector<std::int64_t> batches;  ///< empty: what the shapes say, or 1
  std::vector<int> threads;
  std::vector<Isa> isas;
  std::vector<Source> sources;            ///< empty: what the shapes say
  std::vector<Destination> destinations;  ///< empty: what the shapes say
  std::vector<Cache> caches;
  SessionOptions session;
  std::string out;
  std::uint64_t seed = 1;
  std::string filter;
  std::int64_t fuzz = 0;
  std::string input;
  std::string output;
  std::string dump;      ///< a file for the network's graph as JSON, instead of measuring
  bool summary = false;  ///< the layer table, instead of measuring
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

/// Calls f for each combination of implementation, instruction set, threads and cache state; a GPU,
/// which has no use for the CPU's, once for each cache state.
void for_each_setting(const Options& options,
                      const std::function<void(const Implementation&, const Resources&, Cache)>& f);

/// Throws InputError for what is wrong. Prints help and exits with 0 when asked for it.
Options parse_command_line(int count, char** words);

}  // namespace xnorbench
