// A network with its values and an input, shared by the cases of all implementations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/cases/network_source.h"
#include "networks/compile/device_check.h"
#include "networks/graph.h"
#include "networks/parameters.h"
#include "reference/float_backend.h"

namespace xnorbench {

struct NetworkTask {
  NetworkTask(Graph graph, std::string input_name, std::vector<float> input, std::uint64_t seed)
      : graph(std::move(graph)),
        parameters(random_parameters(this->graph, seed)),
        input(std::move(input)),
        input_name(std::move(input_name)),
        seed(seed) {}

  Graph graph;
  NetworkParameters parameters;
  std::vector<float> input;  ///< N, H, W, C
  std::string input_name;
  std::uint64_t seed = 0;

  /// Output of the reference executor; kept for the last backend and number of threads.
  const std::vector<float>& expected(FloatBackend float_backend, int threads);
  /// The reference executor's tensors of all nodes, for networks on a GPU. Made on the first call,
  /// with its arguments.
  const ReferenceTensors& expected_tensors(FloatBackend float_backend, int threads);

 private:
  std::vector<float> expected_;
  FloatBackend expected_float_backend_ = FloatBackend::direct;
  int expected_threads_ = 0;
  ReferenceTensors expected_tensors_;
};

/// Without an input, and with values from the seed alone: enough to plan the memory of any batch.
std::shared_ptr<NetworkTask> make_planning_task(const NetworkSource& network, std::int64_t batch,
                                                std::uint64_t seed);

/// With the values that the network's file names, and others from `seed`. `input` is as in
/// load_input(); if it is empty, networks with 3 input channels get the portrait and others random
/// numbers. Throws InputError, also if this machine has too little memory to run and check it.
std::shared_ptr<NetworkTask> make_network_task(const NetworkSource& network, std::int64_t batch,
                                               const std::string& input, std::uint64_t seed);

}  // namespace xnorbench
