// A program: a network made ready for one implementation, as a list of steps over numbered buffers.
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

/// Address of each buffer of a program, on the device.
using BufferTable = std::vector<std::byte*>;

/// Where a float tensor lies: in a buffer, perhaps as a slice of a wider tensor.
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
  packed_input,  ///< signs of a tensor, for binary convolutions
  workspace,     ///< of one layer
};
std::string to_string(BufferKind kind);

struct ProgramBuffer {
  BufferKind kind = BufferKind::tensor;
  std::string layer;                ///< name of the node that it belongs to
  std::string module;               ///< kind of that node, see module_of()
  std::string form;                 ///< shape and type as text; empty for a workspace
  MemoryUse use;                    ///< its bytes, by owner
  std::size_t bytes = 0;            ///< their sum
  bool external = false;            ///< the network's input or output, not in the arena
  std::optional<BufferId> same_as;  ///< computed in place: shares the bytes of an earlier buffer
};

/// Input and output of a real layer.
struct RealLayerTensors {
  NodeId input = 0, output = 0;
  Place from, to;
};

/// A packed input in its buffer: sign(node `of`) by `rule`.
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

/// Bytes that were packed or stored for a node at compile time.
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
  /// Batch norms, each as a scale and a shift.
  std::vector<Buffer> parameters;

  /// The buffer whose bytes `id` uses: itself, or the one it is computed in place of.
  BufferId owner(BufferId id) const;
  /// From the first step to the last that uses each buffer. A buffer that shares another's bytes
  /// lengthens that one's life, and has none of its own (0 bytes).
  std::vector<Lifetime> lifetimes() const;
};

/// Whether the implementation supports all binary layers, and the float backend all real ones.
Support supports_network(const Graph& graph, const Implementation& implementation,
                         FloatBackend float_backend, const Machine& machine);

/// The float backend that real layers run on. It is the one that was asked for, with two
/// exceptions:
///  - a network without binary layers runs on the float implementation's own library;
///  - a backend of the other device is replaced by the implementation's own library or, if it has
///    none, by the default of its device.
FloatBackend effective_float_backend(const Graph& graph, const Implementation& implementation,
                                     FloatBackend asked);

/// Fuses and orders the work. Every implementation gets the same fusions (none if the policy does
/// not fuse):
///  - batch norm, sign and packing happen in the epilogue of the binary convolution before them, on
///    integer sums, or while a float tensor is written;
///  - batch norm and relu are one step, in place;
///  - the parts of a concatenation are written where they belong; a shortcut that is added to the
///    concatenation is added while its parts are written, in the shortcut's buffer if nothing else
///    reads it;
///  - nearest upsampling and addition are one step.
/// Throws InputError for a graph without layers, or with a layer that nothing reads.
Program compile(const Graph& graph, const NetworkParameters& parameters,
                const Implementation& implementation, FloatBackend float_backend, Context& context,
                const Policy& policy = arena_policy());

}  // namespace xnorbench
