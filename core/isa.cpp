#include "core/isa.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace xnorbench {
namespace {

constexpr Isa all[] = {Isa::baseline, Isa::avx2, Isa::avx512bw, Isa::avx512bitalg};

bool runs_on(Isa isa, const Machine& machine) {
  switch (isa) {
    case Isa::baseline: return true;
    case Isa::avx2: return machine.has("avx2");
    case Isa::avx512bw:
      return machine.has("avx512f") && machine.has("avx512cd") && machine.has("avx512dq") &&
             machine.has("avx512bw");
    case Isa::avx512bitalg: return runs_on(Isa::avx512bw, machine) && machine.has("avx512bitalg");
  }
  return false;
}

}  // namespace

std::string to_string(Isa isa) {
  switch (isa) {
    case Isa::avx2: return "avx2";
    case Isa::avx512bw: return "avx512bw";
    case Isa::avx512bitalg: return "avx512bitalg";
    case Isa::baseline: break;
  }
#if defined(__x86_64__)
  return "sse2";
#elif defined(__aarch64__)
  return "neon";
#else
  return "baseline";
#endif
}

std::vector<Isa> find_isas(const Machine& machine) {
  std::vector<Isa> found;
  std::copy_if(std::begin(all), std::end(all), std::back_inserter(found),
               [&](Isa isa) { return runs_on(isa, machine); });
  return found;
}

Isa best_isa() {
  static const Isa best = find_isas(this_machine()).back();
  return best;
}

Machine restrict_to(Machine machine, Isa isa) {
  std::erase_if(machine.isa, [isa](const std::string& extension) {
    return (extension == "avx512bitalg" && isa < Isa::avx512bitalg) ||
           (extension.starts_with("avx512") && isa < Isa::avx512bw) ||
           ((extension == "avx2" || extension == "avxvnni") && isa < Isa::avx2);
  });
  return machine;
}

std::string limitation(Isa isa) { return isa == best_isa() ? std::string() : to_string(isa); }

std::string list_isas(std::string_view separator) {
  std::vector<std::string> names;
  for (Isa isa : find_isas(this_machine())) names.push_back(to_string(isa));
  return fmt::format("{}", fmt::join(names, separator));
}

Isa parse_isa(const std::string& name) {
  for (Isa isa : find_isas(this_machine()))
    if (to_string(isa) == name) return isa;
  throw InputError(
      fmt::format("'{}' is no instruction set of this machine; it has {}", name, list_isas(", ")));
}

}  // namespace xnorbench
