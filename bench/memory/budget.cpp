#include "bench/memory/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/memory/largest_fitting.h"
#include "bench/records/network_memory_csv.h"
#include "core/error.h"
#include "networks/resize.h"

namespace xnorbench {
namespace {

constexpr std::int64_t eighths_of_input = 8,
                       most_eighths = most_times_larger_input * eighths_of_input;

bool runs(const Graph& graph, const NetworkSetting& setting) {
  return bool(supports_network(graph, *setting.implementation, setting.float_backend,
                               restrict_to(this_machine(), setting.resources.cpu.isa)));
}

std::size_t total_bytes(const Graph& graph, const NetworkParameters& parameters,
                        const NetworkSetting& setting) {
  return PlannedNetwork(graph, parameters, setting).plan().total.total();
}

Graph with_batch(const Graph& graph, std::int64_t batch) {
  TensorShape input = graph.input_shape();
  input.batch = batch;
  return with_input(graph, input);
}

/// Inputs that the network's layers take, in eighths of its own input, smallest first.
std::vector<Graph> possible_inputs(const Graph& graph) {
  std::vector<Graph> graphs;
  const TensorShape own = graph.input_shape();
  for (std::int64_t eighths = 1; eighths <= most_eighths; ++eighths) {
    if (own.height * eighths % eighths_of_input != 0 || own.width * eighths % eighths_of_input != 0)
      continue;
    TensorShape input = own;
    input.height = own.height * eighths / eighths_of_input;
    input.width = own.width * eighths / eighths_of_input;
    try {
      graphs.push_back(with_input(graph, input));
    } catch (const InputError&) {  // a size that the layers cannot halve, or that is too small
    }
  }
  return graphs;
}

}  // namespace

BudgetAnswer find_budget_answer(const Graph& graph, const NetworkParameters& parameters,
                                const NetworkSetting& setting, std::size_t budget_bytes) {
  BudgetAnswer answer;
  answer.needed = total_bytes(graph, parameters, setting);
  answer.largest_batch =
      largest_fitting(most_images, static_cast<double>(budget_bytes), [&](std::int64_t batch) {
        if (batch == graph.input_shape().batch) return static_cast<double>(answer.needed);
        const Graph images = with_batch(graph, batch);
        if (!runs(images, setting))
          return std::numeric_limits<double>::max();  // too large for a library
        return static_cast<double>(total_bytes(images, parameters, setting));
      });
  answer.size_bound_layer = size_bound_layer(graph);
  if (!answer.size_bound_layer.empty()) return answer;
  const std::vector<Graph> inputs = possible_inputs(graph);
  const auto too_large =
      std::partition_point(inputs.begin(), inputs.end(), [&](const Graph& resized) {
        return runs(resized, setting) && total_bytes(resized, parameters, setting) <= budget_bytes;
      });
  if (too_large != inputs.begin()) answer.largest_input = std::prev(too_large)->input_shape();
  answer.larger_inputs_not_looked_at = !inputs.empty() && too_large == inputs.end();
  return answer;
}

const CsvTable<BudgetRow>& budget_csv() {
  using Row = BudgetRow;
  constexpr CsvKind number = CsvKind::number, text = CsvKind::text;
  static const CsvTable<Row> table{
      "budget.csv",
      after_forward_pass<Row>({
          {"budget_bytes", number, [](const Row& r) { return csv_value(r.budget.bytes); }},
          {"reserved_bytes", number,
           [](const Row& r) { return csv_value(r.budget.reserved_bytes); }},
          {"needed_bytes", number, [](const Row& r) { return csv_value(r.answer.needed); }},
          {"fits", text,
           [](const Row& r) { return csv_value(r.answer.needed <= r.budget.left()); }},
          {"largest_batch", number, [](const Row& r) { return csv_value(r.answer.largest_batch); }},
          {"largest_input_height", number,
           [](const Row& r) {
             const auto& input = r.answer.largest_input;
             return input ? csv_value(input->height) : "";
           }},
          {"largest_input_width", number,
           [](const Row& r) {
             const auto& input = r.answer.largest_input;
             return input ? csv_value(input->width) : "";
           }},
          {"size_bound_layer", text, [](const Row& r) { return r.answer.size_bound_layer; }},
      })};
  return table;
}

const CsvTable<SavingRow>& savings_csv() {
  using Row = SavingRow;
  static const CsvTable<Row> table{
      "savings.csv", after_forward_pass<Row>({
                         {"saving", CsvKind::text, [](const Row& r) { return r.saving.what; }},
                         {"total_bytes", CsvKind::number,
                          [](const Row& r) { return csv_value(r.saving.total_bytes); }},
                     })};
  return table;
}

std::vector<Saving> find_savings(const Graph& graph, const NetworkParameters& parameters,
                                 NetworkSetting setting) {
  std::vector<Saving> savings;
  setting.policy = per_module_policy();
  auto add = [&](const std::string& what) {
    savings.push_back({what, total_bytes(graph, parameters, setting)});
  };
  add("every module its own output and columns, nothing freed (per_module)");
  setting.policy.shares_columns = true;
  add("one column buffer for all layers (shared_columns)");
  setting.policy.in_place = true;
  add("relu and add in place");
  setting.policy.frees_outputs = true;
  add("bytes of an output used again after its last reader");
  setting.policy = arena_policy();
  add("batch norm, sign and concatenation without tensors of their own (arena)");
  const Implementation& packed = *find_implementations("cpu_xnor_simd").front();
  if (setting.implementation == &packed ||
      setting.implementation->info().device != packed.info().device)
    return savings;
  if (setting.float_backend == float_backend_beside(*setting.implementation))
    setting.float_backend = float_backend_beside(packed);
  setting.implementation = &packed;
  if (runs(graph, setting))
    add("bits, not floats, between binary layers, and small columns (cpu_xnor_simd)");
  return savings;
}

}  // namespace xnorbench
