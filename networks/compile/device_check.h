// Compares a network on a GPU with the reference executor on the CPU.
//
// Float sums of real layers depend on their order, so that a GPU's differ from a CPU's in their
// last bits, and a sign at 0 may flip. What can be asked exactly is asked: with the output of every
// real layer replaced by the reference's, all signs and everything that a real layer reads, and the
// output unless a real layer makes it, must be identical. How far a pass without that help is from
// the reference is reported beside it.
#pragma once

#include <string>
#include <vector>

#include "networks/compile/executor.h"
#include "networks/deviation.h"

namespace xnorbench {

/// Tensors of all nodes, as run_reference_tensors() gives them.
using ReferenceTensors = std::vector<std::vector<float>>;

/// Empty, or what is wrong first: a sign or a value that differs, or a real layer whose output is
/// further from the reference's than float sums can be. The input is set.
std::string check_with_reference_real_layers(const Executor& executor, const Graph& graph,
                                             const NetworkParameters& parameters,
                                             const ReferenceTensors& reference);

/// Of a pass on its own.
Deviation measure_deviation(const Executor& executor, const Graph& graph,
                            const ReferenceTensors& reference);

}  // namespace xnorbench
