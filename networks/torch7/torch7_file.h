// The size of the file that Torch7 writes for a network (torch.save in binary, .t7), computed from
// the graph alone. Papers of that time call it the size of a model. Buffers count as cleared
// (clearState()).
//
// Containers are nested as in the published hourglass: a fork whose branches meet again is an
// nn.ConcatTable, the parts of a branch are an nn.Sequential, and a fork that ends in an addition
// is an nn.Sequential of its own. Files that Torch7 wrote for hourglasses and for single modules
// have exactly these sizes. The author of another network may have nested containers differently,
// which makes less than 300 bytes for each. Fully connected layers are convolutions here, without
// nn.View.
#pragma once

#include <cstdint>

#include "networks/graph.h"

namespace xnorbench {

enum class Torch7Backend {
  nn,          ///< on the CPU, torch.FloatTensor
  cuda_nn,     ///< the same classes, torch.CudaTensor
  cuda_cudnn,  ///< classes of cudnn.torch for convolution, batch norm and relu
};

/// The modules that a binary convolution becomes.
enum class Torch7Binary {
  packed,   ///< bnn.Binary, bnn.SpatialConvolution: 32 weights an integer, row by row, and a float
            ///< alpha a channel
  trained,  ///< bnn.Binary, nn.Padding where padding is not 0, nn.SpatialConvolution with float
            ///< weights and no bias
  real,     ///< nn.ReLU and nn.SpatialConvolution without bias: the real-valued counterpart
};

struct Torch7Options {
  Torch7Backend backend = Torch7Backend::nn;
  Torch7Binary binary = Torch7Binary::packed;
  /// gradWeight and gradBias are kept, as after training; otherwise they are empty. Packed
  /// convolutions have none.
  bool gradients = false;
  /// A forward pass came before: some fields exist only then.
  bool has_run = true;
};

/// Size of the file in bytes. Real convolutions have a bias; those whose weights are +1 and -1
/// count as real ones. Throws InputError for a graph whose forks are not nested, since no
/// containers can hold it.
std::int64_t torch7_file_bytes(const Graph& graph, const Torch7Options& options = {});

}  // namespace xnorbench
