// Compares a network on a GPU with the reference executor on the CPU.
//
// Float sums of real layers depend on their order: a GPU's differ from a CPU's in their last bits,
// and a sign near 0 may flip. So the output of every real layer is replaced by the reference's.
// Then all signs, all inputs of real layers and the output (unless a real layer makes it) must be
// identical. How far a run without that help is from the reference is measured apart.
#pragma once

#include <string>
#include <vector>

#include "networks/compile/executor.h"
#include "networks/deviation.h"

namespace xnorbench {

/// Tensors of all nodes, as run_reference_tensors() gives them.
using ReferenceTensors = std::vector<std::vector<float>>;

/// Empty, or the first fault: a sign or a value that differs, or a real layer whose output is
/// further from the reference's than float sums can be. The executor's input must be set.
std::string check_with_reference_real_layers(const Executor& executor, const Graph& graph,
                                             const NetworkParameters& parameters,
                                             const ReferenceTensors& reference);

/// Runs the network as it is, and compares signs and output with the reference.
Deviation measure_deviation(const Executor& executor, const Graph& graph,
                            const ReferenceTensors& reference);

}  // namespace xnorbench
