// The table of packed inputs: who writes each one, and which float tensors need not be kept.
#include "networks/compile/packed_input_plan.h"

#include <gtest/gtest.h>

#include "tests/random_graph.h"

namespace xnorbench {
namespace {

/// On cpu_xnor_swar, whose packed inputs are bits; `fused`: as under the arena policy.
PackedInputPlan plan(const Graph& graph, bool fused = true) {
  const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
  return plan_packed_inputs(graph, fused ? find_fusions(graph, swar) : no_fusions(graph), swar,
                            fused);
}

SignWriter writer_of(const PackedInputPlan& plan, NodeId convolution) {
  return plan[*plan.read_by[convolution]].writer;
}

TEST(PackedInputPlan, TheEpilogueWritesSignsThroughABatchNorm) {
  Graph graph("two_layers", {});
  const NodeId first = graph.binary_convolution("first", graph.input({1, 4, 4, 8}), 16, {});
  const NodeId norm = graph.batch_norm("norm", first);
  const NodeId second = graph.binary_convolution("second", norm, 8, {});
  const PackedInputPlan table = plan(graph);
  ASSERT_EQ(table.from_epilogue[first], table.read_by[second]);
  const PlannedPackedInput& between = table[*table.read_by[second]];
  EXPECT_EQ(between.of, norm);
  EXPECT_EQ(between.writer, SignWriter::epilogue);
  EXPECT_EQ(between.written_at, first);
  EXPECT_EQ(writer_of(table, first), SignWriter::sign_step) << "the user writes the input";
  EXPECT_EQ(table[*table.read_by[first]].written_at, first);
  EXPECT_FALSE(table.only_signs[norm]) << "a folded node has no tensor";
}

TEST(PackedInputPlan, AStepThatWritesATensorWritesItsSigns) {
  Graph graph("pool", {});
  const NodeId pool = graph.average_pool("pool", graph.input({1, 8, 8, 16}));
  const NodeId plain = graph.binary_convolution("plain", pool, 8, {});
  const NodeId norm = graph.batch_norm("norm", pool);
  const NodeId normalised = graph.binary_convolution("normalised", norm, 8, {});
  graph.add("sum", plain, normalised);
  const PackedInputPlan table = plan(graph);
  for (NodeId convolution : {plain, normalised}) {
    EXPECT_EQ(writer_of(table, convolution), SignWriter::tensor_steps);
    EXPECT_EQ(table[*table.read_by[convolution]].written_at, pool);
  }
  EXPECT_EQ(table.written_with[pool],
            (std::vector<PackedInputId>{*table.read_by[plain], *table.read_by[normalised]}));
  EXPECT_TRUE(table.only_signs[pool]);
}

TEST(PackedInputPlan, ATensorThatAnythingElseReadsIsKept) {
  Graph graph("shortcut", {});
  const NodeId pool = graph.average_pool("pool", graph.input({1, 8, 8, 16}));
  const NodeId convolution = graph.binary_convolution("convolution", pool, 16, {});
  graph.add("sum", convolution, pool);
  const PackedInputPlan table = plan(graph);
  EXPECT_EQ(writer_of(table, convolution), SignWriter::tensor_steps);
  EXPECT_FALSE(table.only_signs[pool]);
}

TEST(PackedInputPlan, PartsThatAreNotWholeBytesGetAStepOfTheirOwn) {
  for (const std::int64_t channels : {8, 12}) {
    Graph graph("parts", {});
    const NodeId x = graph.input({1, 4, 4, 16});
    const NodeId parts =
        graph.concat("parts", {graph.binary_convolution("left", x, channels, {}),
                               graph.binary_convolution("right", x, channels, {})});
    const NodeId reader = graph.binary_convolution("reader", parts, 8, {});
    EXPECT_EQ(writer_of(plan(graph), reader),
              channels == 8 ? SignWriter::tensor_steps : SignWriter::sign_step);
  }
}

TEST(PackedInputPlan, ReadersOfTheSameSignsShareThem) {
  Graph graph("two_readers", {});
  const NodeId real = graph.convolution("real", graph.input({1, 4, 4, 3}), 16, {});
  const NodeId left = graph.binary_convolution("left", real, 8, {});
  const NodeId right = graph.binary_convolution("right", real, 8, {});
  graph.add("sum", left, right);
  const PackedInputPlan table = plan(graph);
  EXPECT_EQ(table.packed_inputs.size(), 1U);
  EXPECT_EQ(table.read_by[left], table.read_by[right]);
  EXPECT_EQ(writer_of(table, left), SignWriter::sign_step) << "a library writes the tensor";
  EXPECT_EQ(table[0].written_at, left) << "before its first reader";
  EXPECT_FALSE(table.only_signs[real]);
}

TEST(PackedInputPlan, WithoutFusionsEveryOneIsAStepOfItsOwn) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const PackedInputPlan table = plan(RandomGraph(seed).build("random"), false);
    for (const PlannedPackedInput& planned : table.packed_inputs)
      EXPECT_EQ(planned.writer, SignWriter::sign_step) << "seed " << seed;
    for (const bool only_signs : table.only_signs) EXPECT_FALSE(only_signs) << "seed " << seed;
  }
}

}  // namespace
}  // namespace xnorbench
