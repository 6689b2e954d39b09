// What one forward pass of the binary hourglass needs beyond its weights when it is planned
// (policy_test.cpp: as modules).
#include <gtest/gtest.h>

#include <cstdio>

#include "core/implementation.h"
#include "networks/compile/executor.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"

namespace xnorbench {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr const char* packed_implementations = "cpu_xnor_swar,cpu_xnor_popcnt,cpu_xnor_simd";

TEST(HourglassMemory, XnorImplementationsNeedAtMost24MiBBeyondTheWeights) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  for (const Implementation* implementation : find_implementations(packed_implementations)) {
    for (FloatBackend real : {FloatBackend::onednn, FloatBackend::openblas, FloatBackend::direct}) {
      if (!supports_network(graph, *implementation, real, this_machine())) continue;
      Ledger ledger;
      Context context{ledger, 1};
      const Executor executor(graph, parameters, *implementation, real, context);
      const MemoryUse& planned = executor.plan().total;
      const std::size_t weights = planned[Category::weights_packed] +
                                  planned[Category::weights_real] + planned[Category::parameters];
      const std::string name =
          implementation->info().name + " with real layers by " + to_string(real);
      std::printf("%s: %s beyond %s of weights\n", name.c_str(),
                  format_mib(planned.total() - weights).c_str(), format_mib(weights).c_str());
      EXPECT_LE(planned.total() - weights, 24 * mib) << name;
    }
  }
}

TEST(HourglassMemory, PackedWeightsAreOneBitEach) {
  const Graph graph = face_alignment(1);
  const NetworkCounts counts = count(graph);
  const NetworkParameters parameters = random_parameters(graph, 1);
  for (const Implementation* implementation : find_implementations(packed_implementations)) {
    if (!supports_network(graph, *implementation, FloatBackend::direct, this_machine())) continue;
    Ledger ledger;
    Context context{ledger, 1};
    const Executor executor(graph, parameters, *implementation, FloatBackend::direct, context);
    const std::size_t packed = executor.plan().total[Category::weights_packed];
    const auto bits = static_cast<std::size_t>(counts.packed_bytes());
    EXPECT_GE(packed, bits) << implementation->info().name;
    EXPECT_LE(packed, bits + bits / 50)
        << implementation->info().name << ": more than the channels' last words";
    EXPECT_EQ(executor.plan().total[Category::weights_real],
              static_cast<std::size_t>(4 * counts.real_weights));
  }
}

TEST(HourglassMemory, NoFloatMapIsKeptForTheBinaryColumns) {
  // Torch7 with bnn.torch holds 361 MiB of float im2col buffers; here they are bits of one band.
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  for (const Implementation* implementation : find_implementations(packed_implementations)) {
    if (!supports_network(graph, *implementation, FloatBackend::direct, this_machine())) continue;
    Ledger ledger;
    Context context{ledger, 1};
    const Executor executor(graph, parameters, *implementation, FloatBackend::direct, context);
    for (const ProgramBuffer& buffer : executor.program().buffers) {
      if (buffer.use[Category::workspace_columns] > 0) {
        EXPECT_LE(buffer.bytes, 2 * mib) << buffer.layer;
      }
    }
  }
}

TEST(HourglassMemory, PlansTheSameBytesEveryTime) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
  MemoryUse planned[2];
  for (MemoryUse& use : planned) {
    Ledger ledger;
    Context context{ledger, 1};
    use = Executor(graph, parameters, swar, FloatBackend::direct, context).plan().total;
  }
  EXPECT_EQ(planned[0], planned[1]);
}

}  // namespace
}  // namespace xnorbench
