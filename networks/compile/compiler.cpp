// Turns a graph into a program: one emit function per kind of node, in the graph's order.
#include <utility>

#include "core/error.h"
#include "networks/compile/fusion.h"
#include "networks/compile/packed_inputs.h"
#include "networks/compile/places.h"
#include "networks/compile/program.h"
#include "networks/compile/program_builder.h"

namespace xnorbench {
namespace {

class Compiler {
 public:
  Compiler(const Graph& graph, const NetworkParameters& parameters,
           const Implementation& implementation, FloatBackend float_backend, Context& context,
           const Policy& policy)
      : graph_(graph),
        parameters_(parameters),
        implementation_(implementation),
        float_backend_(float_backend),
        context_(context),
        elementwise_(context.ledger.device().make_elementwise(context.cpu)),
        consumers_(graph.consumers()),
        policy_(policy),
        fusion_(policy.fuses ? find_fusions(graph, implementation) : no_fusions(graph)),
        builder_(context.ledger),
        places_(graph, builder_),
        packed_inputs_(graph, fusion_, parameters, implementation, builder_, policy,
                       elementwise_->write_signs_too()) {}

  Program compile() {
    check_readers();
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) emit(id);
    Program program =
        builder_.finish(places_.of(graph_.input()).buffer, places_.of(graph_.output()).buffer);
    program.packed_inputs = packed_inputs_.all();
    return program;
  }

 private:
  void check_readers() const {
    if (graph_.nodes().size() < 2) throw InputError("network " + graph_.name() + " has no layer");
    for (NodeId id = 0; id < graph_.output(); ++id)
      if (consumers_[id].empty())
        throw InputError("network " + graph_.name() + ": nothing reads layer " +
                         graph_.node(id).name + ", and it is not the last; remove it or use it");
  }

  /// The shortcut's channels that are added to a part, if any; the sum is computed in place if it
  /// can.
  std::optional<Place> addend_of(NodeId part) {
    const Slice& slice = *fusion_.slice[part];
    if (!slice.addend) return std::nullopt;
    Place place = places_.of(*slice.addend);
    prefer_in_place(written(slice.home), place);
    place.offset += slice.offset;
    return place;
  }

  /// The node whose tensor the value of `part` is written into.
  NodeId home_of(NodeId part) const {
    return fusion_.slice[part] ? fusion_.slice[part]->home : part;
  }

  /// What the writer of the channels from `offset` on of node `home` writes.
  WrittenTensor written(NodeId home, std::int64_t offset = 0) {
    WrittenTensor tensor{std::nullopt, {packed_inputs_.written_with(home), offset}};
    if (packed_inputs_.only_signs_of(home)) return tensor;
    tensor.place = places_.of(home);
    tensor.place->offset += offset;
    return tensor;
  }

  void prefer_in_place(const WrittenTensor& to, const Place& from) {
    if (to.place && policy_.in_place) builder_.prefer_in_place(to.place->buffer, from.buffer);
  }

  void emit(NodeId id) {
    builder_.begin_module(graph_.node(id).name, module_of(graph_, id));
    switch (graph_.node(id).kind) {
      case NodeKind::input: break;
      case NodeKind::convolution: emit_convolution(id); break;
      case NodeKind::binary_convolution: emit_binary_convolution(id); break;
      case NodeKind::batch_norm:
        if (!fusion_.folded[id]) emit_affine_relu(id, id, std::nullopt);
        break;
      case NodeKind::relu: emit_relu(id); break;
      case NodeKind::max_pool:
      case NodeKind::average_pool: emit_pool(id); break;
      case NodeKind::upsample:
        if (!fusion_.folded[id]) emit_upsample(id, graph_.node(id).inputs[0], std::nullopt);
        break;
      case NodeKind::concat: emit_concat(id); break;
      case NodeKind::add: emit_add(id); break;
    }
  }

  void emit_convolution(NodeId id) {
    const Node& node = graph_.node(id);
    const NodeParameters& parameters = parameters_[id];
    std::shared_ptr<RealConvolution> convolution = make_real_convolution(
        float_backend_, node.problem.shape, parameters.weights, parameters.bias, context_);
    const Place from = places_.of(node.inputs[0]);
    const Place to = places_.of(id);
    const BufferId workspace = builder_.add_buffer(
        {BufferKind::workspace, node.name, module_of(graph_, id)}, convolution->workspace());
    Step& step =
        builder_.add_step(node.name, Part::real_layer, {from.buffer}, {to.buffer, workspace});
    step.kernel = convolution->kernel();
    step.macs = node.problem.shape.macs();
    step.real_tensors = RealLayerTensors{node.inputs[0], id, from, to};
    step.run = [=](const BufferTable& buffers) {
      convolution->run(from.const_in(buffers).data, to.in(buffers).data, buffers[workspace]);
    };
    if (const auto& slice = fusion_.slice[id])
      emit_copy(id, to, slice->home, slice->offset, addend_of(id));
  }

  /// The packed input that a binary convolution reads; shared by all that read the same one.
  BufferId packed_input_of(NodeId convolution) {
    const Node& node = graph_.node(convolution);
    const NodeId x = node.inputs[0];
    const PackedFormat format = implementation_.source_format(node.problem);
    if (const auto made = packed_inputs_.find(x, node.problem.zero_rule, format)) return *made;

    const BufferId buffer = packed_inputs_.add(x, node.problem.zero_rule, format);
    const bool normalised = fusion_.folded[x];
    const Place from = places_.of(normalised ? graph_.node(x).inputs[0] : x);
    const AffineView affine = normalised ? packed_inputs_.affine_of(x) : AffineView{};
    const std::int64_t pixels = graph_.node(x).shape.pixels();
    const ZeroRule rule = node.problem.zero_rule;
    const auto passes = elementwise_;
    // The one thing that modules always do in place: floats of +1 and -1 over the batch norm's.
    if (!policy_.fuses && graph_.node(x).kind == NodeKind::batch_norm)
      builder_.prefer_in_place(buffer, from.buffer);
    Step& step = builder_.add_step(graph_.node(x).name, Part::sign_pass, {from.buffer}, {buffer});
    step.run = [=](const BufferTable& buffers) {
      passes->sign(format, rule, pixels, from.const_in(buffers), affine, buffers[buffer]);
    };
    return buffer;
  }

  void emit_binary_convolution(NodeId id) {
    const Node& node = graph_.node(id);
    const std::optional<NodeId> norm = fusion_.epilogue_norm[id];
    const bool wants_value = id == graph_.output() || consumers_[id].size() > (norm ? 1U : 0U);

    ConvProblem problem = node.problem;
    problem.source = Source::sign;
    problem.destination = !norm         ? Destination::f32
                          : wants_value ? Destination::f32_sign
                                        : Destination::sign;
    Weights weights{parameters_[id].weights, {parameters_[id].alpha, {}, {}, {}}};
    if (norm) {
      const ConvProblem& next = graph_.node(consumers_[*norm][0]).problem;
      weights.epilogue.next = implementation_.source_format(next);
      weights.epilogue.thresholds =
          find_thresholds(parameters_[id].alpha, {}, to_affine(parameters_[*norm].batch_norm),
                          next.zero_rule, problem.shape.k());
    }
    std::shared_ptr<Plan> plan = implementation_.prepare(problem, weights, context_);

    const BufferId packed_input = packed_input_of(id);
    const BufferId workspace = builder_.add_buffer(
        {BufferKind::workspace, node.name, module_of(graph_, id)}, plan->workspace());
    std::vector<BufferId> reads{packed_input};
    std::vector<BufferId> writes{workspace};
    std::optional<WrittenTensor> values;
    std::optional<Place> addend;
    std::optional<BufferId>
        signs;  // before written(): what they leave to the tensor depends on them
    if (norm) {
      signs = packed_inputs_.add(*norm, graph_.node(consumers_[*norm][0]).problem.zero_rule,
                                 weights.epilogue.next);
      writes.push_back(*signs);
    }
    if (wants_value) {
      values = written(home_of(id), fusion_.slice[id] ? fusion_.slice[id]->offset : 0);
      values->append_buffers(writes);
      if (fusion_.slice[id]) addend = addend_of(id);
      if (addend) reads.push_back(addend->buffer);
    }
    Step& step =
        builder_.add_step(node.name, Part::convolution, std::move(reads), std::move(writes));
    step.problem = to_text(problem);
    step.kernel = plan->kernel();
    step.macs = problem.shape.macs();
    step.run = [=](const BufferTable& buffers) {
      Output output;
      std::vector<SignTarget> targets;
      if (values) {
        output.values = values->in(buffers);
        targets = values->signs.in(buffers);
        output.value_signs = targets;
      }
      if (addend) output.addend = addend->const_in(buffers);
      if (signs) output.signs = buffers[*signs];
      plan->run(buffers[packed_input], output, buffers[workspace]);
    };
  }

  Step& add_writing_step(const std::string& name, Part part, std::vector<BufferId> reads,
                         const WrittenTensor& to) {
    std::vector<BufferId> writes;
    to.append_buffers(writes);
    return builder_.add_step(name, part, std::move(reads), std::move(writes));
  }

  void emit_relu(NodeId id) {
    const NodeId x = graph_.node(id).inputs[0];
    const bool normalised = graph_.node(x).kind == NodeKind::batch_norm && fusion_.folded[x];
    emit_affine_relu(id, normalised ? std::optional(x) : std::nullopt, graph_.node(id).slope);
  }

  /// Node `id` as relu and/or the batch norm `norm` (which may be `id` itself) of the tensor
  /// before.
  void emit_affine_relu(NodeId id, std::optional<NodeId> norm, std::optional<float> relu_slope) {
    const Node& node = graph_.node(id);
    const Place from = places_.of(graph_.node(norm.value_or(id)).inputs[0]);
    const WrittenTensor to = written(id);
    const AffineView affine = norm ? packed_inputs_.affine_of(*norm) : AffineView{};
    if (policy_.fuses || relu_slope)
      prefer_in_place(to, from);  // a batch norm is no module that works in place
    const auto passes = elementwise_;
    const TensorShape shape = node.shape;
    add_writing_step(node.name, Part::elementwise, {from.buffer}, to).run =
        [=](const BufferTable& buffers) {
          passes->affine_relu(shape.pixels(), shape.channels, from.const_in(buffers), affine,
                              relu_slope, to.in(buffers), to.signs.in(buffers));
        };
  }

  void emit_pool(NodeId id) {
    const Node node = graph_.node(id);
    const TensorShape in = graph_.node(node.inputs[0]).shape;
    const Place from = places_.of(node.inputs[0]);
    const WrittenTensor to = written(id);
    const auto passes = elementwise_;
    add_writing_step(node.name, Part::pool, {from.buffer}, to).run =
        [=](const BufferTable& buffers) {
          if (node.kind == NodeKind::max_pool)
            passes->max_pool(in, node.shape, node.pool, from.const_in(buffers), to.in(buffers),
                             to.signs.in(buffers));
          else
            passes->average_pool(in, node.shape, node.pool, from.const_in(buffers), to.in(buffers),
                                 to.signs.in(buffers));
        };
  }

  /// Node `id` as the upsampling of `x`, plus an addend.
  void emit_upsample(NodeId id, NodeId x, std::optional<NodeId> addend) {
    const TensorShape in = graph_.node(x).shape;
    const Place from = places_.of(x);
    const WrittenTensor to = written(id);
    std::vector<BufferId> reads{from.buffer};
    std::optional<Place> added;
    if (addend) {
      added = places_.of(*addend);
      reads.push_back(added->buffer);
      prefer_in_place(to, *added);
    }
    const auto passes = elementwise_;
    add_writing_step(graph_.node(id).name, Part::elementwise, std::move(reads), to).run =
        [=](const BufferTable& buffers) {
          passes->upsample_add(in, from.const_in(buffers),
                               added ? added->const_in(buffers) : ConstFloatTensor{},
                               to.in(buffers), to.signs.in(buffers));
        };
  }

  /// `part`, or part plus addend, into its channels of the tensor of `home`.
  void emit_copy(NodeId part, const Place& from, NodeId home, std::int64_t offset,
                 const std::optional<Place>& addend) {
    const WrittenTensor to = written(home, offset);
    std::vector<BufferId> reads{from.buffer};
    if (addend) reads.push_back(addend->buffer);
    const TensorShape shape = graph_.node(part).shape;
    const auto passes = elementwise_;
    add_writing_step(graph_.node(part).name, Part::elementwise, std::move(reads), to).run =
        [=](const BufferTable& buffers) {
          passes->add(shape.pixels(), shape.channels, from.const_in(buffers),
                      addend ? addend->const_in(buffers) : ConstFloatTensor{}, to.in(buffers),
                      to.signs.in(buffers));
        };
  }

  /// Copies the parts that were not written in place.
  void emit_concat(NodeId id) {
    std::int64_t offset = 0;
    for (NodeId part : graph_.node(id).inputs) {
      if (!fusion_.slice[part]) emit_copy(part, places_.of(part), id, offset, std::nullopt);
      offset += graph_.node(part).shape.channels;
    }
  }

  void emit_add(NodeId id) {
    const NodeId a = graph_.node(id).inputs[0];
    const NodeId b = graph_.node(id).inputs[1];
    if (fusion_.added_in_place[a] || fusion_.added_in_place[b]) return;  // written with the parts
    if (fusion_.folded[a]) return emit_upsample(id, graph_.node(a).inputs[0], b);
    if (fusion_.folded[b]) return emit_upsample(id, graph_.node(b).inputs[0], a);
    const Place left = places_.of(a);
    const Place right = places_.of(b);
    const WrittenTensor to = written(id);
    prefer_in_place(to, left);
    prefer_in_place(to, right);
    const TensorShape shape = graph_.node(id).shape;
    const auto passes = elementwise_;
    add_writing_step(graph_.node(id).name, Part::elementwise, {left.buffer, right.buffer}, to).run =
        [=](const BufferTable& buffers) {
          passes->add(shape.pixels(), shape.channels, left.const_in(buffers),
                      right.const_in(buffers), to.in(buffers), to.signs.in(buffers));
        };
  }

  const Graph& graph_;
  const NetworkParameters& parameters_;
  const Implementation& implementation_;
  FloatBackend float_backend_;
  Context& context_;
  std::shared_ptr<const ElementwiseOperations> elementwise_;
  std::vector<std::vector<NodeId>> consumers_;
  const Policy& policy_;
  Fusion fusion_;
  ProgramBuilder builder_;
  Places places_;
  PackedInputs packed_inputs_;
};

}  // namespace

Program compile(const Graph& graph, const NetworkParameters& parameters,
                const Implementation& implementation, FloatBackend float_backend, Context& context,
                const Policy& policy) {
  return Compiler(graph, parameters, implementation, float_backend, context, policy).compile();
}

}  // namespace xnorbench
