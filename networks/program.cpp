#include "networks/program.h"

#include <algorithm>

namespace xnorbench {

std::string to_string(Part part) {
  switch (part) {
    case Part::sign_pass: return "sign_pass";
    case Part::convolution: return "convolution";
    case Part::real_layer: return "real_layer";
    case Part::pool: return "pool";
    case Part::elementwise: return "elementwise";
  }
  return {};
}

std::string to_string(BufferKind kind) {
  switch (kind) {
    case BufferKind::map: return "map";
    case BufferKind::operand: return "operand";
    case BufferKind::workspace: return "workspace";
  }
  return {};
}

BufferId Program::owner(BufferId id) const {
  while (buffers[id].same_as) id = *buffers[id].same_as;
  return id;
}

std::vector<Lifetime> Program::lifetimes() const {
  std::vector<Lifetime> lifetimes(buffers.size());
  std::vector<bool> seen(buffers.size(), false);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    auto touch = [&](BufferId id) {
      const BufferId own = owner(id);
      if (buffers[own].external || buffers[own].bytes == 0) return;
      Lifetime& lifetime = lifetimes[own];
      if (!seen[own]) lifetime = {buffers[own].bytes, step, step};
      seen[own] = true;
      lifetime.death = step;
    };
    std::for_each(steps[step].reads.begin(), steps[step].reads.end(), touch);
    std::for_each(steps[step].writes.begin(), steps[step].writes.end(), touch);
  }
  return lifetimes;
}

Support supports_network(const Graph& graph, const Implementation& implementation, RealLayers real_layers,
                         const Machine& machine) {
  if (Support here = implementation.available(machine); !here) return here;
  if (count(graph).binary_convolutions == 0 && !real_layers_of(implementation))
    return Support::unsupported("every layer of " + graph.name() + " is real-valued: only implementations with real layers of their own run it");
  const RealLayers real = effective_real_layers(graph, implementation, real_layers);
  if (Support here = available(real); !here) return here;
  for (const Node& node : graph.nodes()) {
    const bool is_binary = node.kind == NodeKind::binary_convolution;
    if (!is_binary && node.kind != NodeKind::convolution) continue;
    Support support = is_binary ? implementation.supports(node.problem, machine) : supports(real, node.problem.shape);
    if (!support) {
      support.reason = "layer " + node.name + ": " + support.reason;
      return support;
    }
  }
  return {};
}

RealLayers effective_real_layers(const Graph& graph, const Implementation& implementation, RealLayers asked) {
  const std::string& device = implementation.info().device;
  const std::optional<RealLayers> own = real_layers_of(implementation);
  if (own == RealLayers::openblas && asked == RealLayers::torch) return asked;  // the same library, on columns of all
  if (own && (count(graph).binary_convolutions == 0 || device != device_of(asked))) return *own;
  return device == device_of(asked) ? asked : default_real_layers(device);
}

}  // namespace xnorbench
