#include "networks/compile/program.h"

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
    case BufferKind::tensor: return "tensor";
    case BufferKind::packed_input: return "packed_input";
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

Support supports_network(const Graph& graph, const Implementation& implementation,
                         FloatBackend float_backend, const Machine& machine) {
  if (Support here = implementation.available(machine); !here) return here;
  if (count(graph).binary_convolutions == 0 && !float_backend_of(implementation))
    return Support::unsupported(
        "every layer of " + graph.name() +
        " is real-valued; use a float implementation such as cpu_f32_onednn");
  const FloatBackend real = effective_float_backend(graph, implementation, float_backend);
  if (Support here = available(real); !here) return here;
  for (const Node& node : graph.nodes()) {
    const bool is_binary = node.kind == NodeKind::binary_convolution;
    if (!is_binary && node.kind != NodeKind::convolution) continue;
    Support support = is_binary ? implementation.supports(node.problem, machine)
                                : supports(real, node.problem.shape);
    if (!support) {
      support.reason = "layer " + node.name + ": " + support.reason;
      return support;
    }
  }
  return {};
}

FloatBackend effective_float_backend(const Graph& graph, const Implementation& implementation,
                                     FloatBackend asked) {
  const std::string& device = implementation.info().device;
  const std::optional<FloatBackend> own = float_backend_of(implementation);
  if (own == FloatBackend::openblas && asked == FloatBackend::torch)
    return asked;  // the same library, with an im2col buffer of whole images
  if (own && (count(graph).binary_convolutions == 0 || device != device_of(asked))) return *own;
  return device == device_of(asked) ? asked : default_float_backend(device);
}

}  // namespace xnorbench
