// The modules of nn, cudnn and bnn.torch that a node of a graph becomes in a Torch7 file, and their
// size there in bytes. Their fields were read from files that nn 8726825 and bnn.torch wrote; those
// of max pools on a GPU and of leaky relu from the source.
#pragma once

#include <cstdint>

#include "networks/graph.h"
#include "networks/torch7/torch7_file.h"

namespace xnorbench {

/// Modules one after another.
struct Torch7Modules {
  std::int64_t count = 0, bytes = 0;

  void append(std::int64_t module_bytes) {
    ++count;
    bytes += module_bytes;
  }
  void append(const Torch7Modules& others) {
    count += others.count;
    bytes += others.bytes;
  }
};

/// None for the input. Several for a binary convolution: its sign is a module of its own, and so is
/// padding with -1 or +1 if its weights are floats. An addition or concatenation is the module that
/// reads the table of its inputs.
Torch7Modules torch7_modules(const Node& node, const Torch7Options& options);

/// `table_out`: its last part gives a table of tensors.
std::int64_t torch7_sequential_bytes(const Torch7Modules& parts, bool table_out,
                                     const Torch7Options& options);
/// Hands its input to each of its branches: one table of all their outputs.
std::int64_t torch7_concat_table_bytes(const Torch7Modules& branches, const Torch7Options& options);
std::int64_t torch7_identity_bytes(const Torch7Options& options);
/// Makes one table of a table of tables.
std::int64_t torch7_flatten_table_bytes(const Torch7Options& options);

}  // namespace xnorbench
