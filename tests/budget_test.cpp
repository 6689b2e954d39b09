// What fits into a budget: the answer fits, and one more does not.
#include "bench/memory/budget.h"

#include <gtest/gtest.h>

#include "networks/models/network_list.h"
#include "networks/resize.h"

namespace xnorbench {
namespace {

NetworkSetting setting_of(const char* implementation_name, const Policy& policy) {
  const Implementation& implementation = *find_implementations(implementation_name)[0];
  return {&implementation, FloatBackend::direct, Resources{}, policy};
}

std::size_t needed(const Graph& graph, const NetworkParameters& parameters,
                   const NetworkSetting& setting, const TensorShape& input) {
  return PlannedNetwork(with_input(graph, input), parameters, setting).plan().total.total();
}

TEST(Budget, TheLargestBatchFitsAndOneMoreDoesNot) {
  const Graph graph = binarynet_cifar10(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  for (const Policy& policy : policies()) {
    const NetworkSetting setting = setting_of("cpu_xnor_bnntorch", policy);
    for (std::size_t budget :
         {std::size_t{12} << 20, std::size_t{100} << 20, (std::size_t{333} << 20) + 12345}) {
      const BudgetAnswer answer = find_budget_answer(graph, parameters, setting, budget);
      TensorShape input = graph.input_shape();
      SCOPED_TRACE(testing::Message()
                   << policy.name << ", " << budget << " bytes, batch " << answer.largest_batch);
      EXPECT_EQ(answer.needed, needed(graph, parameters, setting, input));
      if (answer.largest_batch > 0) {
        input.batch = answer.largest_batch;
        EXPECT_LE(needed(graph, parameters, setting, input), budget);
      }
      input.batch = answer.largest_batch + 1;
      EXPECT_GT(needed(graph, parameters, setting, input), budget);
    }
  }
}

TEST(Budget, TheLargestInputFitsAndTheNextDoesNot) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  const NetworkSetting setting = setting_of("cpu_xnor_bnntorch", shared_columns_policy());
  const std::size_t budget = std::size_t{650} << 20;
  const BudgetAnswer answer = find_budget_answer(graph, parameters, setting, budget);
  ASSERT_TRUE(answer.largest_input);
  EXPECT_EQ(answer.largest_input->height % 64, 0) << "the hourglass halves its tensor six times";
  EXPECT_LE(needed(graph, parameters, setting, *answer.largest_input), budget);
  TensorShape next = *answer.largest_input;
  next.height += 64;
  next.width += 64;
  EXPECT_GT(needed(graph, parameters, setting, next), budget);
}

TEST(Budget, TooSmallABudgetHoldsNothing) {
  const Graph graph = face_alignment(1);
  const BudgetAnswer answer = find_budget_answer(
      graph, random_parameters(graph, 1), setting_of("cpu_xnor_swar", arena_policy()), 1 << 20);
  EXPECT_EQ(answer.largest_batch, 0);
  EXPECT_FALSE(answer.largest_input);
}

TEST(Budget, EachSavingSavesOrCostsNothing) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  const std::vector<Saving> savings =
      find_savings(graph, parameters, setting_of("cpu_xnor_bnntorch", arena_policy()));
  ASSERT_EQ(savings.size(), 6U);
  for (std::size_t i = 1; i < savings.size(); ++i)
    EXPECT_LE(savings[i].total_bytes, savings[i - 1].total_bytes) << savings[i].what;
  // relu and the sums of the modules: 8.000 + 25.984 + 5.313 MiB, less a guard bytes each.
  EXPECT_NEAR(static_cast<double>(savings[1].total_bytes - savings[2].total_bytes) / (1 << 20),
              39.297, 0.01);
}

TEST(Resize, TheSameInputGivesTheSameGraph) {
  for (const NetworkEntry& entry : all_networks()) {
    const Graph graph = entry.build(1);
    const Graph again = with_input(graph, graph.input_shape());
    ASSERT_EQ(again.nodes().size(), graph.nodes().size()) << entry.name;
    for (NodeId id = 0; id < graph.nodes().size(); ++id) {
      EXPECT_EQ(again.node(id).name, graph.node(id).name);
      EXPECT_EQ(again.node(id).kind, graph.node(id).kind)
          << entry.name << " " << graph.node(id).name;
      EXPECT_EQ(again.node(id).inputs, graph.node(id).inputs)
          << entry.name << " " << graph.node(id).name;
      EXPECT_EQ(again.node(id).shape, graph.node(id).shape)
          << entry.name << " " << graph.node(id).name;
      EXPECT_EQ(again.node(id).sign_weights, graph.node(id).sign_weights)
          << entry.name << " " << graph.node(id).name;
      EXPECT_EQ(again.node(id).slope, graph.node(id).slope)
          << entry.name << " " << graph.node(id).name;
    }
    const NetworkCounts batch_of_two = count(with_input(graph, entry.build(2).input_shape()));
    EXPECT_EQ(batch_of_two.macs(), 2 * count(graph).macs()) << entry.name;
  }
}

TEST(Resize, NamesTheLayerThatTiesANetworkToItsInput) {
  EXPECT_EQ(size_bound_layer(face_alignment(1)), "");
  EXPECT_EQ(size_bound_layer(yolov3_tiny_xnor(1)), "");
  EXPECT_NE(size_bound_layer(xnor_resnet18(1)), "");
  EXPECT_NE(size_bound_layer(xnor_alexnet(1)), "");
  EXPECT_NE(size_bound_layer(binarynet_cifar10(1)), "");
  EXPECT_EQ(size_bound_layer(binarynet_mnist(1)), "fc1");
}

}  // namespace
}  // namespace xnorbench
