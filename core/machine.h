// What this machine is and has, as far as results depend on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xnorbench {

/// Sizes are bytes; 0 or an empty text means unknown.
struct Machine {
  std::string name;  ///< short and safe as a folder name: CPU model, logical CPUs
  std::string cpu;
  int logical_cpus = 0;
  int threads_per_core = 0;
  std::int64_t l1d_bytes = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t l3_bytes = 0;
  std::int64_t memory_bytes = 0;
  std::vector<std::string> isa;  ///< instruction set extensions that matter here
  std::string os;
  std::string kernel;

  bool has(const std::string& extension) const;
};

/// Asks the operating system once; the same object at every call.
const Machine& this_machine();

/// Every name that Machine::isa may hold on this kind of processor.
std::vector<std::string> known_extensions();

}  // namespace xnorbench
