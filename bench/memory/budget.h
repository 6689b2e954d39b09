// Whether a network fits into a number of bytes, the largest batch and input that fit, and what
// would save how much.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/cases/planned_network.h"
#include "bench/memory/budget_bytes.h"
#include "bench/records/csv_table.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// The search ends at most_images, and at an input so many times as large in each direction: such
/// an answer means "that or more".
inline constexpr std::int64_t most_times_larger_input = 16;

struct BudgetAnswer {
  std::size_t needed = 0;  ///< planned, without a driver's context
  /// Images per forward pass; 0: not even one fits.
  std::int64_t largest_batch = 0;
  /// At the batch asked for: a whole number of eighths of the network's own input in each
  /// direction. None if not even an eighth fits, or if the network takes one size only.
  std::optional<TensorShape> largest_input;
  bool larger_inputs_not_looked_at = false;
  /// The layer that ties the network to its input's size, if there is one.
  std::string size_bound_layer;
};

/// `graph` has the batch asked for. Everything is planned and nothing runs. The weights must fit
/// into the memory of this machine.
BudgetAnswer find_budget_answer(const Graph& graph, const NetworkParameters& parameters,
                                const NetworkSetting& setting, std::size_t budget_bytes);

/// A line of the printed table, and of budget.csv.
struct BudgetRow {
  NetworkSetting setting;
  NetworkMemory memory;  ///< planned
  BudgetAnswer answer;
  Budget budget;
};
const CsvTable<BudgetRow>& budget_csv();

/// One step that saves memory, on top of the steps before it.
struct Saving {
  std::string what;
  std::size_t total_bytes = 0;
};

/// From modules that keep everything (the first entry) to what this project runs. The policy of
/// `setting` does not matter.
std::vector<Saving> find_savings(const Graph& graph, const NetworkParameters& parameters,
                                 NetworkSetting setting);

/// A line of savings.csv. `memory` has no policy.
struct SavingRow {
  NetworkMemory memory;
  Saving saving;
};
const CsvTable<SavingRow>& savings_csv();

}  // namespace xnorbench
