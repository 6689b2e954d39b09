// Real and binary convolutions, and the sign steps that binarise what the binary ones read.
#include <utility>

#include "networks/compile/emission.h"

namespace xnorbench {
namespace {

/// One run of a binary convolution.
struct BinaryConvolutionStep {
  std::shared_ptr<Plan> plan;
  BufferId packed_input = 0;
  BufferId workspace = 0;
  std::optional<BufferId> signs;        ///< packed by the epilogue, for the batch norm that follows
  std::optional<WrittenTensor> values;  ///< alpha * sum, and signs of it
  std::optional<Place> addend = std::nullopt;  ///< added to the values

  std::vector<BufferId> reads() const {
    std::vector<BufferId> buffers{packed_input};
    if (addend) buffers.push_back(addend->buffer);
    return buffers;
  }

  std::vector<BufferId> writes() const {
    std::vector<BufferId> buffers{workspace};
    if (signs) buffers.push_back(*signs);
    if (values) values->append_buffers(buffers);
    return buffers;
  }

  void run(const BufferTable& buffers) const {
    Output output;
    std::vector<SignTarget> value_signs;
    if (values) {
      output.values = values->in(buffers);
      value_signs = values->signs.in(buffers);
      output.value_signs = value_signs;
    }
    if (addend) output.addend = addend->const_in(buffers);
    if (signs) output.signs = buffers[*signs];
    plan->run(buffers[packed_input], output, buffers[workspace]);
  }
};

/// Whether anything but the epilogue's signs is made of a binary convolution.
bool wants_value(const Emission& emission, NodeId id) {
  const std::size_t epilogue_readers = emission.fusion.epilogue_norm[id] ? 1 : 0;
  return id == emission.graph.output() || emission.consumers[id].size() > epilogue_readers;
}

/// The node's problem from packed input to what the network needs of it.
ConvProblem problem_of(const Emission& emission, NodeId id) {
  ConvProblem problem = emission.graph.node(id).problem;
  problem.source = Source::sign;
  problem.destination = !emission.fusion.epilogue_norm[id] ? Destination::f32
                        : wants_value(emission, id)        ? Destination::f32_sign
                                                           : Destination::sign;
  return problem;
}

EpilogueParameters epilogue_of(const Emission& emission, NodeId id) {
  EpilogueParameters epilogue{emission.parameters[id].alpha, {}, {}, {}};
  const PackedInputPlan& packed_inputs = emission.packed_inputs.plan();
  if (const auto signs = packed_inputs.from_epilogue[id]) {
    const PlannedPackedInput& planned = packed_inputs[*signs];
    epilogue.next = planned.format;
    epilogue.thresholds =
        find_thresholds(epilogue.alpha, {}, to_affine(emission.parameters[planned.of].batch_norm),
                        planned.rule, emission.graph.node(id).problem.shape.k());
  }
  return epilogue;
}

/// Binarises and packs a float tensor, through the batch norm that is folded into the signs if
/// there is one.
void emit_sign_step(Emission& emission, const ProgramPackedInput& packed_input) {
  const Graph& graph = emission.graph;
  const NodeId x = packed_input.of;
  const bool normalised = emission.fusion.folded[x];
  const Place from = emission.places.of(normalised ? graph.node(x).inputs[0] : x);
  const AffineView affine = normalised ? emission.packed_inputs.affine_of(x) : AffineView{};
  const std::int64_t pixels = graph.node(x).shape.pixels();
  // The one thing that modules do in place under every policy: floats of +1 and -1 are written over
  // the batch norm's values.
  if (!emission.policy.fuses && graph.node(x).kind == NodeKind::batch_norm)
    emission.builder.prefer_in_place(packed_input.buffer, from.buffer);
  emission.builder
      .add_step(graph.node(x).name, Part::sign_pass, {from.buffer}, {packed_input.buffer})
      .run = [=, elementwise = emission.elementwise](const BufferTable& buffers) {
    elementwise->sign(packed_input.format, packed_input.rule, pixels, from.const_in(buffers),
                      affine, buffers[packed_input.buffer]);
  };
}

/// The buffer that a binary convolution reads; its first reader writes it if no earlier step does.
BufferId packed_input_of(Emission& emission, NodeId convolution) {
  const PackedInputId id = *emission.packed_inputs.plan().read_by[convolution];
  const PlannedPackedInput& planned = emission.packed_inputs.plan()[id];
  const ProgramPackedInput packed_input = emission.packed_inputs.of(id);
  if (planned.writer == SignWriter::sign_step && planned.written_at == convolution)
    emit_sign_step(emission, packed_input);
  return packed_input.buffer;
}

BufferId add_workspace(Emission& emission, NodeId id, const MemoryUse& use) {
  return emission.builder.add_buffer(
      {BufferKind::workspace, emission.graph.node(id).name, module_of(emission.graph, id)}, use);
}

}  // namespace

void emit_convolution(Emission& emission, NodeId id) {
  const Node& node = emission.graph.node(id);
  const NodeParameters& parameters = emission.parameters[id];
  std::shared_ptr<RealConvolution> convolution =
      make_real_convolution(emission.float_backend, node.problem.shape, parameters.weights,
                            parameters.bias, emission.context);
  const Place from = emission.places.of(node.inputs[0]);
  const Place to = emission.places.of(id);
  const BufferId workspace = add_workspace(emission, id, convolution->workspace());
  Step& step =
      emission.builder.add_step(node.name, Part::real_layer, {from.buffer}, {to.buffer, workspace});
  step.kernel = convolution->kernel();
  step.macs = node.problem.shape.macs();
  step.real_tensors = RealLayerTensors{node.inputs[0], id, from, to};
  step.run = [=](const BufferTable& buffers) {
    convolution->run(from.const_in(buffers).data, to.in(buffers).data, buffers[workspace]);
  };
  if (const auto& slice = emission.fusion.slice[id])
    emit_copy(emission, id, to, slice->home, slice->offset, emission.addend_of(id));
}

void emit_binary_convolution(Emission& emission, NodeId id) {
  const ConvProblem problem = problem_of(emission, id);
  BinaryConvolutionStep run;
  run.plan = emission.implementation.prepare(
      problem, {emission.parameters[id].weights, epilogue_of(emission, id)}, emission.context);
  run.packed_input = packed_input_of(emission, id);
  run.workspace = add_workspace(emission, id, run.plan->workspace());
  if (const auto signs = emission.packed_inputs.plan().from_epilogue[id])
    run.signs = emission.packed_inputs.of(*signs).buffer;
  if (wants_value(emission, id)) {
    const std::optional<Slice>& slice = emission.fusion.slice[id];
    run.values = slice ? emission.written(slice->home, slice->offset) : emission.written(id);
    if (slice) run.addend = emission.addend_of(id);
  }
  Step& step = emission.builder.add_step(emission.graph.node(id).name, Part::convolution,
                                         run.reads(), run.writes());
  step.problem = to_text(problem);
  step.kernel = run.plan->kernel();
  step.macs = problem.shape.macs();
  step.run = [run = std::move(run)](const BufferTable& buffers) { run.run(buffers); };
}

}  // namespace xnorbench
