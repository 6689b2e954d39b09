#include "bench/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record.h"
#include "core/error.h"
#include "networks/resize.h"

namespace xnorbench {
namespace {

constexpr std::int64_t most_images = 65536;
constexpr std::int64_t eighths_of_input = 8, most_eighths = 16 * eighths_of_input;

std::size_t total_bytes(const Graph& graph, const NetworkParameters& parameters, const NetworkSetting& setting) {
  return PlannedNetwork(graph, parameters, setting).plan().total.total();
}

Graph with_batch(const Graph& graph, std::int64_t batch) {
  MapShape input = graph.input_shape();
  input.batch = batch;
  return with_input(graph, input);
}

/// Bytes grow with the batch, nearly on a straight line: where that line meets the budget is the next guess, and every
/// other one halves what is left, since planning packs all weights anew and is to be done a few times only.
std::int64_t find_largest_batch(const Graph& graph, const NetworkParameters& parameters, const NetworkSetting& setting,
                                std::size_t budget) {
  struct Point {
    std::int64_t batch;
    double bytes;
  };
  auto plan = [&](std::int64_t batch) {
    return Point{batch, static_cast<double>(total_bytes(with_batch(graph, batch), parameters, setting))};
  };
  const auto limit = static_cast<double>(budget);
  Point fits = plan(1);
  if (fits.bytes > limit) return 0;
  Point too_many = plan(2);
  while (too_many.bytes <= limit) {
    if (too_many.batch == most_images) return most_images;
    const double per_image = (too_many.bytes - fits.bytes) / static_cast<double>(too_many.batch - fits.batch);
    // A little beyond where the line meets the budget, to have an end on each side of it.
    const double images = 1.01 * limit / std::max(per_image, 1.0) + 1;
    fits = too_many;
    const std::int64_t least = 2 * fits.batch;
    too_many = plan(std::clamp(static_cast<std::int64_t>(std::min(images, 1.0 * most_images)),
                               std::min(least, most_images), most_images));
  }
  for (bool halve = false; too_many.batch - fits.batch > 1; halve = !halve) {
    const double share = halve ? 0.5 : (limit - fits.bytes) / (too_many.bytes - fits.bytes);
    const auto step = static_cast<std::int64_t>(share * static_cast<double>(too_many.batch - fits.batch));
    const Point guess = plan(std::clamp(fits.batch + step, fits.batch + 1, too_many.batch - 1));
    (guess.bytes <= limit ? fits : too_many) = guess;
  }
  return fits.batch;
}

/// Inputs of whole eighths of the network's own that its layers take, smallest first.
std::vector<Graph> possible_inputs(const Graph& graph) {
  std::vector<Graph> graphs;
  const MapShape own = graph.input_shape();
  for (std::int64_t eighths = 1; eighths <= most_eighths; ++eighths) {
    if (own.height * eighths % eighths_of_input != 0 || own.width * eighths % eighths_of_input != 0) continue;
    MapShape input = own;
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

BudgetAnswer find_budget_answer(const Graph& graph, const NetworkParameters& parameters, const NetworkSetting& setting,
                                std::size_t budget_bytes) {
  BudgetAnswer answer;
  answer.needed = total_bytes(graph, parameters, setting);
  answer.largest_batch = find_largest_batch(graph, parameters, setting, budget_bytes);
  answer.size_bound_layer = size_bound_layer(graph);
  if (!answer.size_bound_layer.empty()) return answer;
  const std::vector<Graph> inputs = possible_inputs(graph);
  const auto too_large = std::partition_point(inputs.begin(), inputs.end(), [&](const Graph& resized) {
    return total_bytes(resized, parameters, setting) <= budget_bytes;
  });
  if (too_large != inputs.begin()) answer.largest_input = std::prev(too_large)->input_shape();
  return answer;
}

std::string budget_header() {
  return csv_identity_header() +
         ",budget_bytes,reserved_bytes,needed_bytes,fits,largest_batch,largest_input_height,largest_input_width";
}

std::string to_csv(const Budget& budget, const BudgetRow& row) {
  const BudgetAnswer& answer = row.answer;
  const std::string input = answer.largest_input
                                ? fmt::format("{},{}", answer.largest_input->height, answer.largest_input->width)
                                : ",";
  return fmt::format("{},{},{},{},{},{},{}", csv_identity(row.memory), budget.bytes, budget.reserved_bytes, answer.needed,
                     answer.needed <= budget.left() ? "yes" : "no", answer.largest_batch, input);
}

std::string remedy_header() { return csv_identity_header() + ",remedy,total_bytes"; }

std::string to_csv(const NetworkMemory& memory, const Remedy& remedy) {
  return fmt::format("{},{},{}", csv_identity(memory), csv_field(remedy.what), remedy.total_bytes);
}

std::vector<Remedy> find_remedies(const Graph& graph, const NetworkParameters& parameters, NetworkSetting setting) {
  std::vector<Remedy> remedies;
  setting.policy = per_module_policy();
  auto add = [&](const std::string& what) { remedies.push_back({what, total_bytes(graph, parameters, setting)}); };
  add("every module its own output and columns, nothing freed (per_module)");
  setting.policy.shares_columns = true;
  add("one column buffer for all layers (shared_columns)");
  setting.policy.in_place = true;
  add("relu and add in place");
  setting.policy.frees_outputs = true;
  add("bytes of an output used again after its last reader");
  setting.policy = arena_policy();
  add("batch norm, sign and concatenation without maps of their own (arena)");
  const Implementation& packed = *find_implementations("cpu_xnor_simd").front();
  if (setting.implementation == &packed || setting.implementation->info().device != packed.info().device) return remedies;
  setting.implementation = &packed;
  setting.real_layers = real_layers_beside(packed);
  if (supports_network(graph, packed, setting.real_layers, restrict_to(this_machine(), setting.resources.cpu.isa)))
    add("bits, not floats, between binary layers, and small columns (cpu_xnor_simd)");
  return remedies;
}

}  // namespace xnorbench
