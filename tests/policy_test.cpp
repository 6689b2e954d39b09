// Buffer policies: every one gives the same bits in the bytes that were planned; modules take what
// Torch7 takes.
#include "networks/compile/policy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "bench/cases/planned_network.h"
#include "bench/records/network_memory.h"
#include "core/error.h"
#include "networks/models/network_list.h"
#include "tests/executor_check.h"
#include "tests/random_graph.h"

namespace xnorbench {
namespace {

/// The three by name, and the steps between them that the savings of a budget take.
std::vector<Policy> all_policies() {
  std::vector<Policy> all(policies().begin(), policies().end());
  all.push_back({"in place", false, true, true, false});
  all.push_back({"outputs freed", false, false, true, true});
  all.push_back({"both", false, true, true, true});
  return all;
}

TEST(Policy, RandomGraphsGiveTheReferenceBitsInThePlannedBytes) {
  int runs = 0;
  for (std::uint64_t seed = 1; seed <= 120 && !testing::Test::HasFailure(); ++seed) {
    const Graph graph = RandomGraph(seed).build("random");
    const std::vector<float> input = random_input(graph, seed);
    const NetworkParameters parameters = random_parameters(graph, seed);
    for (const char* name :
         {"cpu_xnor_bnntorch", "cpu_xnor_swar", "cpu_f32_onednn", "cpu_i8_onednn"}) {
      const Implementation& implementation = *find_implementations(name)[0];
      const FloatBackend asked = float_backend_beside(implementation);
      if (!supports_network(graph, implementation, asked, this_machine())) continue;
      const FloatBackend real = effective_float_backend(graph, implementation, asked);
      const std::vector<float> expected = run_reference(graph, parameters, input, real, 1);
      for (const Policy& policy : all_policies()) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << name << ", " << policy.name);
        ExecutorCheck(graph, parameters, implementation, asked, 1, policy)
            .expect_output(input, expected, seed % 8 == 0 ? Runs::all : Runs::once_and_accounted);
        ++runs;
      }
    }
  }
  EXPECT_GT(runs, 1000);
}

/// The memory of face_alignment on bnn.torch's algorithm.
class Torch7Memory : public testing::Test {
 protected:
  void SetUp() override {
    if (!available(FloatBackend::torch)) GTEST_SKIP() << available(FloatBackend::torch).reason;
  }

  NetworkMemory plan(const char* implementation_name, const Policy& policy) const {
    const Implementation& implementation = *find_implementations(implementation_name)[0];
    const PlannedNetwork planned(
        graph_, parameters_,
        {&implementation, float_backend_beside(implementation), Resources{}, policy});
    NetworkMemory memory;
    memory.set_plan(planned.program(), planned.plan());
    return memory;
  }

  /// Bytes of one kind of layer.
  static std::size_t bytes(const NetworkMemory& memory, const std::string& module,
                           const std::string& kind, Category category) {
    std::size_t sum = 0;
    for (const MemoryBuffer& b : memory.buffers)
      if (b.module == module && b.kind == kind && b.category == category) sum += b.bytes;
    return sum;
  }

  Graph graph_ = face_alignment(1);
  NetworkParameters parameters_ = random_parameters(graph_, 1);
};

constexpr double mib = 1024.0 * 1024.0;

// What each kind of module keeps, in MiB to three decimals, as found in Torch7.
TEST_F(Torch7Memory, ModulesKeepWhatTorch7Keeps) {
  const NetworkMemory memory = plan("cpu_xnor_bnntorch", per_module_policy());
  const struct {
    const char* module;
    const char* kind;
    Category category;
    double mib;
  } expected[] = {
      {"binary_convolution", "workspace", Category::workspace_columns, 361.254},
      {"binary_convolution", "workspace", Category::activations_bits, 11.289},
      {"binary_convolution", "tensor", Category::activations_real, 37.984},
      {"batch_norm", "tensor", Category::activations_real, 53.473},
      {"concat", "tensor", Category::activations_real, 25.984},
      {"add", "tensor", Category::activations_real, 25.984},
      {"add_upsampled", "tensor", Category::activations_real, 5.313},
      {"average_pool", "tensor", Category::activations_real, 3.328},
      {"upsample", "tensor", Category::activations_real, 5.313},
      {"relu", "tensor", Category::activations_real, 8.000},
      {"convolution", "workspace", Category::workspace_columns, 17.188},
      {"convolution", "prepared", Category::workspace_columns, 0.094},
      {"input", "tensor", Category::input_output, 0.750},
  };
  for (const auto& e : expected)
    EXPECT_NEAR(static_cast<double>(bytes(memory, e.module, e.kind, e.category)) / mib, e.mib,
                0.00051)
        << e.module << " " << e.kind << " " << to_string(e.category);
  const std::size_t real_outputs =
      bytes(memory, "convolution", "tensor", Category::activations_real) +
      bytes(memory, "convolution", "tensor", Category::input_output);
  EXPECT_NEAR(static_cast<double>(real_outputs) / mib, 9.063, 0.00051);
  // Bits, alphas, real weights with biases, four vectors of every batch norm: nothing else.
  EXPECT_EQ(memory.planned[Category::weights_packed] + memory.planned[Category::weights_real] +
                memory.planned[Category::parameters],
            static_cast<std::size_t>(count(graph_).model_bytes()));
  EXPECT_EQ(count(graph_).model_bytes(), 1276432);
  EXPECT_GT(static_cast<double>(memory.planned.total()) / mib, 560);
  EXPECT_LT(static_cast<double>(memory.planned.total()) / mib, 570);
}

TEST_F(Torch7Memory, TheLargestColumnsAre36MiBAndSharingThemLeavesThese) {
  const NetworkMemory memory = plan("cpu_xnor_bnntorch", per_module_policy());
  std::size_t largest = 0;
  for (const MemoryBuffer& b : memory.buffers)
    if (b.module == "binary_convolution" && b.category == Category::workspace_columns)
      largest = std::max(largest, b.bytes);
  EXPECT_EQ(largest, 36U << 20);
  const NetworkMemory shared = plan("cpu_xnor_bnntorch", shared_columns_policy());
  EXPECT_EQ(shared.planned[Category::workspace_columns],
            largest + bytes(shared, "convolution", "prepared", Category::workspace_columns));
}

TEST_F(Torch7Memory, TheArenaOfBitsIsThirtyTimesSmaller) {
  const std::size_t modules = plan("cpu_xnor_bnntorch", per_module_policy()).planned.total();
  const std::size_t arena = plan("cpu_xnor_simd", arena_policy()).planned.total();
  EXPECT_GE(modules, 30 * arena);
}

TEST(Policy, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    find_policy("per_layer");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const char* part : {"per_layer", "arena", "per_module", "shared_columns"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace xnorbench
