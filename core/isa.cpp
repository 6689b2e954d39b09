#include "core/isa.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace xnorbench {
namespace {

struct Entry {
  Isa isa;
  std::string_view name, needs, beside;
};

constexpr Entry table[] = {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) \
  {Isa::name, #name, needs, beside},
#include "core/isas.def"
#undef XNORBENCH_ISA
};

const Entry& entry_of(Isa isa) { return table[static_cast<std::size_t>(isa)]; }

/// Words separated by single spaces.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool runs_on(const Entry& entry, const Machine& machine) {
  const std::vector<std::string> needed = split(entry.needs);
  return std::all_of(needed.begin(), needed.end(),
                     [&](const std::string& extension) { return machine.has(extension); });
}

bool names(const Entry& entry, const std::string& extension) {
  for (std::string_view list : {entry.needs, entry.beside}) {
    const std::vector<std::string> words = split(list);
    if (std::find(words.begin(), words.end(), extension) != words.end()) return true;
  }
  return false;
}

}  // namespace

std::string to_string(Isa isa) { return std::string(entry_of(isa).name); }

std::vector<Isa> find_isas(const Machine& machine) {
  std::vector<Isa> found;
  for (const Entry& entry : table)
    if (runs_on(entry, machine)) found.push_back(entry.isa);
  return found;
}

Isa best_isa() {
  static const Isa best = find_isas(this_machine()).back();
  return best;
}

Machine restrict_to(Machine machine, Isa isa) {
  std::erase_if(machine.isa, [isa](const std::string& extension) {
    // The slowest one that has it. Extensions of no instruction set stay.
    const auto* const first = std::find_if(std::begin(table), std::end(table),
                                           [&](const Entry& e) { return names(e, extension); });
    return first != std::end(table) && first->isa > isa;
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
  throw InputError(fmt::format("'{}' is not an instruction set of this machine; it has {}", name,
                               list_isas(", ")));
}

}  // namespace xnorbench
