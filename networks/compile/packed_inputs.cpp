#include "networks/compile/packed_inputs.h"

namespace xnorbench {

void StepSigns::append_buffers(std::vector<BufferId>& writes) const {
  for (const TensorSigns& s : signs) writes.push_back(s.packed_input.buffer);
}

std::vector<SignTarget> StepSigns::in(const BufferTable& buffers) const {
  std::vector<SignTarget> targets;
  for (const auto& [packed_input, affine] : signs)
    targets.push_back({packed_input.format, packed_input.rule, affine.from(first_channel),
                       first_channel, buffers[packed_input.buffer]});
  return targets;
}

const ProgramPackedInput& PackedInputs::of(PackedInputId id) {
  if (!made_[id]) {
    const PlannedPackedInput& planned = plan_[id];
    const PackedFormat& format = planned.format;
    const Node& node = graph_.node(planned.of);
    const BufferId buffer = builder_.add_buffer(
        {BufferKind::packed_input, node.name, to_string(NodeKind::binary_convolution),
         form_of(node.shape, to_string(format.form))},
        {format.category(),
         static_cast<std::size_t>(node.shape.pixels()) * format.bytes_per_pixel()});
    made_[id] = ProgramPackedInput{planned.of, planned.rule, format, buffer};
  }
  return *made_[id];
}

std::vector<TensorSigns> PackedInputs::written_with(NodeId home) {
  std::vector<TensorSigns> signs;
  for (PackedInputId id : plan_.written_with[home]) {
    const NodeId node = plan_[id].of;
    signs.push_back({of(id), node == home ? AffineView{} : affine_of(node)});
  }
  return signs;
}

std::vector<ProgramPackedInput> PackedInputs::all() const {
  std::vector<ProgramPackedInput> all;
  for (const auto& packed_input : made_)
    if (packed_input) all.push_back(*packed_input);
  return all;
}

AffineView PackedInputs::affine_of(NodeId norm) {
  const auto found = affines_.find(norm);
  if (found != affines_.end()) return found->second;
  return affines_[norm] = builder_.own_affine(graph_.node(norm).name, parameters_[norm].batch_norm,
                                              parameters_as_modules_);
}

}  // namespace xnorbench
