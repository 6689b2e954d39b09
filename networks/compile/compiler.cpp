// Turns a graph into a program: the nodes are emitted one by one, in the graph's order.
#include "core/error.h"
#include "networks/compile/emission.h"

namespace xnorbench {
namespace {

/// A node that nothing reads is only the output.
void check_readers(const Graph& graph, const std::vector<std::vector<NodeId>>& consumers) {
  if (graph.nodes().size() < 2) throw InputError("network " + graph.name() + " has no layer");
  for (NodeId id = 0; id < graph.output(); ++id)
    if (consumers[id].empty())
      throw InputError("network " + graph.name() + ": nothing reads layer " + graph.node(id).name +
                       ", and it is not the last; remove it or use it");
}

void emit(Emission& emission, NodeId id) {
  emission.builder.begin_module(emission.graph.node(id).name, module_of(emission.graph, id));
  switch (emission.graph.node(id).kind) {
    case NodeKind::input: return;
    case NodeKind::convolution: return emit_convolution(emission, id);
    case NodeKind::binary_convolution: return emit_binary_convolution(emission, id);
    case NodeKind::batch_norm: return emit_batch_norm(emission, id);
    case NodeKind::relu: return emit_relu(emission, id);
    case NodeKind::max_pool:
    case NodeKind::average_pool: return emit_pool(emission, id);
    case NodeKind::upsample: return emit_upsample(emission, id);
    case NodeKind::concat: return emit_concat(emission, id);
    case NodeKind::add: return emit_add(emission, id);
  }
}

}  // namespace

Program compile(const Graph& graph, const NetworkParameters& parameters,
                const Implementation& implementation, FloatBackend float_backend, Context& context,
                const Policy& policy) {
  check_readers(graph, graph.consumers());
  Emission emission(graph, parameters, implementation, float_backend, context, policy);
  for (NodeId id = 0; id < graph.nodes().size(); ++id) emit(emission, id);
  Program program = emission.builder.finish(emission.places.of(graph.input()).buffer,
                                            emission.places.of(graph.output()).buffer);
  program.packed_inputs = emission.packed_inputs.all();
  return program;
}

}  // namespace xnorbench
