#include "networks/compile/emission.h"

#include <utility>

namespace xnorbench {

Emission::Emission(const Graph& graph_, const NetworkParameters& parameters_,
                   const Implementation& implementation_, FloatBackend float_backend_,
                   Context& context_, const Policy& policy_)
    : graph(graph_),
      parameters(parameters_),
      implementation(implementation_),
      float_backend(float_backend_),
      context(context_),
      policy(policy_),
      elementwise(context.ledger.device().make_elementwise(context.cpu)),
      consumers(graph.consumers()),
      fusion(policy.fuses ? find_fusions(graph, implementation) : no_fusions(graph)),
      builder(context.ledger),
      places(graph, builder),
      packed_inputs(graph, parameters, builder,
                    plan_packed_inputs(graph, fusion, implementation,
                                       policy.fuses && elementwise->write_signs_too()),
                    !policy.fuses) {}

WrittenTensor Emission::written(NodeId home, std::int64_t offset) {
  WrittenTensor tensor{std::nullopt, {packed_inputs.written_with(home), offset}};
  if (packed_inputs.plan().only_signs[home]) return tensor;
  tensor.place = places.of(home);
  tensor.place->offset += offset;
  return tensor;
}

std::optional<Place> Emission::addend_of(NodeId part) {
  const Slice& slice = *fusion.slice[part];
  if (!slice.addend) return std::nullopt;
  Place place = places.of(*slice.addend);
  prefer_in_place(written(slice.home), place);
  place.offset += slice.offset;
  return place;
}

void Emission::prefer_in_place(const WrittenTensor& to, const Place& from) {
  if (to.place && policy.in_place) builder.prefer_in_place(to.place->buffer, from.buffer);
}

Step& Emission::add_step(const std::string& name, Part part, std::vector<BufferId> reads,
                         const WrittenTensor& to) {
  std::vector<BufferId> writes;
  to.append_buffers(writes);
  return builder.add_step(name, part, std::move(reads), std::move(writes));
}

}  // namespace xnorbench
