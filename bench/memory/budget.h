// Does a network fit into so many bytes, what is the most that fits, and what would make it
// smaller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/cases/planned_network.h"
#include "bench/memory/budget_bytes.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// As far as is looked: an answer of most_images, or of an input so many times as large in each
/// direction, means that or more.
inline constexpr std::int64_t most_times_larger_input = 16;

struct BudgetAnswer {
  std::size_t needed = 0;  ///< by the plan: the program's own bytes, without a driver's context
  /// Images per pass; 0: not even one.
  std::int64_t largest_batch = 0;
  /// Of the batch asked for, in the proportions of the network's own, in eighths of it; none where
  /// not even an eighth fits, or the network has only one input size.
  std::optional<TensorShape> largest_input;
  bool larger_inputs_not_looked_at = false;
  /// The layer that ties the network to its input's size, if there is one.
  std::string size_bound_layer;
};

/// `graph` at the batch asked for. Everything is planned, nothing runs; weights must fit into this
/// machine.
BudgetAnswer find_budget_answer(const Graph& graph, const NetworkParameters& parameters,
                                const NetworkSetting& setting, std::size_t budget_bytes);

/// A line of the table, and of budget.csv.
struct BudgetRow {
  NetworkSetting setting;
  NetworkMemory memory;  ///< planned
  BudgetAnswer answer;
};
std::string budget_header();
std::string to_csv(const Budget& budget, const BudgetRow& row);

/// A way to make modules take less: each step is on top of those before it.
struct Saving {
  std::string what;
  std::size_t total_bytes = 0;
};

/// From modules that keep everything (the first, as it is) to what this project runs. `setting`'s
/// policy is not looked at.
std::vector<Saving> find_savings(const Graph& graph, const NetworkParameters& parameters,
                                 NetworkSetting setting);
/// Lines of savings.csv, whose columns for a policy are empty.
std::string savings_header();
std::string to_csv(const NetworkMemory& memory, const Saving& saving);

}  // namespace xnorbench
