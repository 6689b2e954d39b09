#include "bench/memory/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "bench/records/text_line.h"

namespace xnorbench {
namespace {

constexpr double mib = 1024.0 * 1024.0;

/// Halves are rounded away from zero, as shapes give many of them.
std::string in_mib(std::int64_t bytes) {
  return fmt::format("{:.3f}", std::round(static_cast<double>(bytes) / mib * 1e3) * 1e-3);
}
std::string in_mib(std::size_t bytes) { return in_mib(static_cast<std::int64_t>(bytes)); }

/// The name, the instruction set if it is limited, and the threads if there are several.
std::string implementation_of(const NetworkMemory& m) {
  return m.implementation + (m.limited_to.empty() ? "" : " " + m.limited_to) +
         (m.threads == 1 ? "" : fmt::format(" t{}", m.threads));
}

std::string title_of(const NetworkMemory& m) {
  return fmt::format("{}, batch {}: {}, policy {}, float backend {}", m.network, m.batch,
                     implementation_of(m), m.policy, m.float_backend);
}

void print_bytes(const std::string& name, const std::string& planned, const std::string& measured,
                 const std::string& remark = {}) {
  print_line(fmt::format("  {:<42}{:>12}{:>12}  {}", name, planned, measured, remark));
}

/// Planned and measured bytes of one line of the table of owners.
struct OwnerBytes {
  std::size_t planned = 0, measured = 0;
};

/// "batch_norm outputs", "binary_convolution packed im2col buffer"
std::string owner_of(const MemoryBuffer& b) {
  if (b.kind == "tensor") return b.module + (b.module == "input" ? "" : " outputs");
  if (b.kind == "packed_input") return b.module + " packed input";
  if (b.kind == "prepared" && b.category == Category::workspace_columns)
    return b.module + " vectors of ones";
  if (b.kind == "prepared") return b.module + " " + std::string(to_string(b.category));
  if (b.category == Category::activations_bits) return b.module + " packed im2col buffer";
  return b.module +
         (b.category == Category::workspace_library ? " library scratchpad" : " im2col buffer");
}

/// Largest first.
std::vector<std::pair<std::string, OwnerBytes>> by_owner(const NetworkMemory& memory) {
  std::map<std::string, OwnerBytes> sums;
  for (const MemoryBuffer& b : memory.buffers) {
    OwnerBytes& sum = sums[owner_of(b)];
    if (b.planned_at_peak) sum.planned += b.bytes;
    if (b.measured_at_peak) sum.measured += b.bytes;
  }
  std::erase_if(
      sums, [](const auto& entry) { return entry.second.planned + entry.second.measured == 0; });
  std::vector<std::pair<std::string, OwnerBytes>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.planned > b.second.planned;
  });
  return sorted;
}

void print_categories(const NetworkMemory& memory) {
  print_bytes("MiB by category", "planned", memory.measured ? "measured" : "");
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto category = static_cast<Category>(i);
    const std::size_t measured = memory.measured ? (*memory.measured)[category] : 0;
    if (memory.planned[category] + measured == 0) continue;
    print_bytes(std::string(to_string(category)), in_mib(memory.planned[category]),
                memory.measured ? in_mib(measured) : "");
  }
  if (!memory.measured) return print_bytes("total", in_mib(memory.planned.total()), "");
  const auto measured = static_cast<std::int64_t>(memory.measured->total());
  print_bytes("total", in_mib(memory.planned.total()), in_mib(measured));
  print_bytes("outside", "", in_mib(*memory.resident_growth),
              "growth of the process, as the system counts it");
  if (memory.peak_resident_growth)
    print_bytes("outside_peak", "", in_mib(*memory.peak_resident_growth),
                "the same at its peak, while weights are packed");
  print_bytes("unattributed", "", in_mib(*memory.resident_growth - measured));
}

void print_owners(const NetworkMemory& memory) {
  const std::string& layer = memory.timeline[memory.peak_step].first;
  print_bytes(fmt::format("MiB by owner, in step {} of {} ({})", memory.peak_step + 1,
                          memory.timeline.size(), layer),
              "planned", memory.measured ? "measured" : "");
  auto print_both = [&](const std::string& name, const OwnerBytes& bytes) {
    print_bytes(name, in_mib(bytes.planned), memory.measured ? in_mib(bytes.measured) : "");
  };
  OwnerBytes weights, together;
  for (const MemoryBuffer& b : memory.buffers)
    if (b.kind == "prepared" && b.category != Category::workspace_columns)
      weights.planned = weights.measured += b.bytes;
  for (const auto& [owner, bytes] : by_owner(memory)) {
    print_both(owner, bytes);
    together.planned += bytes.planned;
    together.measured += bytes.measured;
  }
  const OwnerBytes total{memory.planned.total(), memory.measured ? memory.measured->total() : 0};
  print_both("between buffers: guard bytes, alignment",
             {total.planned - together.planned, total.measured - together.measured});
  print_both("total", total);
  print_both("weights and parameters (in the total)", weights);
}

std::string input_text(const BudgetAnswer& answer) {
  if (!answer.size_bound_layer.empty()) return fmt::format("fixed ({})", answer.size_bound_layer);
  if (!answer.largest_input) return "none";
  return fmt::format("{}x{}{}", answer.largest_input->height, answer.largest_input->width,
                     answer.larger_inputs_not_looked_at ? " or more" : "");
}

}  // namespace

void print_memory(const NetworkMemory& memory) {
  fmt::print("\n{}\n\n", title_of(memory));
  print_categories(memory);
  fmt::print("\n");
  print_owners(memory);
}

void print_buffers(const NetworkMemory& memory) {
  std::vector<MemoryBuffer> buffers = memory.buffers;
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const MemoryBuffer& a, const MemoryBuffer& b) {
                     return std::tuple(a.kind != "prepared", a.birth) <
                            std::tuple(b.kind != "prepared", b.birth);
                   });
  fmt::print("\n  {:<34} {:<10} {:<18} {:<28} {:>12} {:>11}  {}\n", "layer", "kind", "category",
             "N x H x W x C, type", "bytes", "steps", "at the peak");
  for (const MemoryBuffer& b : buffers) {
    print_line(fmt::format("  {:<34} {:<10} {:<18} {:<28} {:>12} {:>11}  {}", b.layer, b.kind,
                           to_string(b.category), b.form, b.bytes,
                           fmt::format("{}-{}", b.birth + 1, b.death + 1),
                           b.planned_at_peak ? "yes" : ""));
  }
}

void print_memory_overview(const std::vector<NetworkMemory>& memories) {
  fmt::print("\n  MiB together{:<41}{:>12}{:>12}{:>12}\n", "", "planned", "measured", "outside");
  for (const NetworkMemory& m : memories)
    fmt::print("  {:<20} {:<21} {:<15} {:>3}{:>9}{:>12}{:>12}\n", m.network, implementation_of(m),
               m.policy, fmt::format("n{}", m.batch), in_mib(m.planned.total()),
               m.measured ? in_mib(m.measured->total()) : "",
               m.resident_growth ? in_mib(*m.resident_growth) : "");
}

void print_budget(const std::vector<BudgetRow>& rows) {
  const Budget& budget = rows.front().budget;
  const NetworkMemory& first = rows.front().memory;
  fmt::print("\n{}, batch {}, in {} MiB", first.network, first.batch, in_mib(budget.left()));
  if (budget.reserved_bytes > 0)
    fmt::print(" ({} less {} reserved)", in_mib(budget.bytes), in_mib(budget.reserved_bytes));
  fmt::print(", by plan; a driver's context and library handles come on top\n");
  fmt::print("  {:<21} {:<15} {:>10}  {:<22} {:>13}  {}\n", "implementation", "policy", "needs", "",
             "largest batch", "largest input");
  for (const BudgetRow& row : rows) {
    const BudgetAnswer& answer = row.answer;
    const bool fits = answer.needed <= budget.left();
    const std::size_t difference =
        fits ? budget.left() - answer.needed : answer.needed - budget.left();
    fmt::print("  {:<21} {:<15} {:>10}  {:<22} {:>13}  {}\n", implementation_of(row.memory),
               row.memory.policy, in_mib(answer.needed),
               fmt::format("{} {}", fits ? "fits, left" : "too much by", in_mib(difference)),
               fmt::format("{}{}", answer.largest_batch,
                           answer.largest_batch == most_images ? " or more" : ""),
               input_text(answer));
  }
}

void print_savings(const Budget& budget, const std::string& title,
                   const std::vector<Saving>& savings) {
  fmt::print("\n{}\n  {:<74} {:>10} {:>10}\n", title, "", "needs", "saves");
  for (std::size_t i = 0; i < savings.size(); ++i) {
    const std::size_t total = savings[i].total_bytes;
    const std::string saved = i == 0
                                  ? ""
                                  : in_mib(static_cast<std::int64_t>(savings[i - 1].total_bytes) -
                                           static_cast<std::int64_t>(total));
    fmt::print("  {:<74} {:>10} {:>10}{}\n", savings[i].what, in_mib(total), saved,
               total <= budget.left() ? "  fits" : "");
  }
}

}  // namespace xnorbench
