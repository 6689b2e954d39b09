// A network made ready for one implementation: a list of steps over numbered buffers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/implementation.h"
#include "core/planner.h"
#include "networks/compile/policy.h"
#include "networks/graph.h"
#include "networks/parameters.h"
#include "reference/float_backend.h"

namespace xnorbench {

/// What a step spends its time on.
enum class Part { sign_pass, convolution, real_layer, pool, elementwise };
std::string to_string(Part part);

using BufferId = std::size_t;

/// Where each buffer of a program is.
using BufferTable = std::vector<std::byte*>;

/// A float tensor inside a buffer.
struct Place {
  BufferId buffer = 0;
  std::int64_t offset = 0, stride = 0;  ///< in floats

  FloatTensor in(const BufferTable& buffers) const {
    return {reinterpret_cast<float*>(buffers[buffer]) + offset, stride};
  }
  ConstFloatTensor const_in(const BufferTable& buffers) const {
    const FloatTensor tensor = in(buffers);
    return {tensor.data, tensor.stride};
  }
};

enum class BufferKind {
  tensor,        ///< the float tensor of a node
  packed_input,  ///< a binarised tensor
  workspace,     ///< of one layer
};
std::string to_string(BufferKind kind);

struct ProgramBuffer {
  BufferKind kind = BufferKind::tensor;
  std::string layer;  ///< name of the node that it belongs to
  std::string
      module;  ///< kind of that node; "add_upsampled" for the sum of a tensor and an upsampled one
  std::string form;                 ///< shape and type as text; empty for a workspace
  MemoryUse use;                    ///< its bytes, by owner
  std::size_t bytes = 0;            ///< their sum
  bool external = false;            ///< the network's input or output: not in the arena
  std::optional<BufferId> same_as;  ///< computed in place: shares the bytes of an earlier buffer
};

/// The tensors at the ends of a real layer.
struct RealLayerTensors {
  NodeId input = 0, output = 0;
  Place from, to;
};

/// A binarised tensor: sign of node `of` by `rule`.
struct ProgramPackedInput {
  NodeId of = 0;
  ZeroRule rule = ZeroRule::plus;
  PackedFormat format;
  BufferId buffer = 0;
};

struct Step {
  std::string name;  ///< the layer's
  Part part = Part::elementwise;
  std::string problem;    ///< binary convolutions: text form
  KernelName kernel;      ///< convolutions
  std::int64_t macs = 0;  ///< convolutions
  std::vector<BufferId> reads, writes;
  std::optional<RealLayerTensors> real_tensors;  ///< real layers
  std::function<void(const BufferTable& buffers)> run;
};

/// What was packed or stored for a node before the first pass.
struct PreparedMemory {
  std::string layer, module;
  MemoryUse use;
};

struct Program {
  std::vector<Step> steps;
  std::vector<ProgramBuffer> buffers;
  std::vector<PreparedMemory> prepared;
  BufferId input = 0, output = 0;
  std::vector<ProgramPackedInput> packed_inputs;
  /// Batch norms as affine tensors, owned by the ledger.
  std::vector<Buffer> parameters;

  /// The buffer whose bytes `id` uses: itself, or the one it is computed in place of.
  BufferId owner(BufferId id) const;
  /// Of every buffer over the steps; a buffer that shares another's bytes has its life counted
  /// there and an empty one of its own.
  std::vector<Lifetime> lifetimes() const;
};

/// Whether all binary layers are supported and the real layers are available.
Support supports_network(const Graph& graph, const Implementation& implementation,
                         FloatBackend float_backend, const Machine& machine);

/// The way real layers run: as asked, but a network without binary layers is run by the library
/// that a float implementation stands for, and a device of which nothing was asked takes its
/// default.
FloatBackend effective_float_backend(const Graph& graph, const Implementation& implementation,
                                     FloatBackend asked);

/// Fuses and orders the work; without fusions where the policy has none. What is fused, for every
/// implementation alike:
///  - batch norm + sign + pack, in the epilogue of the binary convolution before it (on integer
///  sums)
///    or in one pass over a float tensor;
///  - batch norm + relu, in place;
///  - a concatenation's parts are written where they belong, and a shortcut that is added to a
///    concatenation is added as its parts are written, in the shortcut's own buffer when it is
///    dead;
///  - nearest upsampling + add.
/// Throws InputError for a graph that has no layer, or a layer that nothing reads.
Program compile(const Graph& graph, const NetworkParameters& parameters,
                const Implementation& implementation, FloatBackend float_backend, Context& context,
                const Policy& policy = arena_policy());

}  // namespace xnorbench
