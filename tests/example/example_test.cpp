// A new implementation is one file and one line: this program was built with cpu_xnor_example.cpp
// and one more line in the list, and nothing else knows of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

#include "bench/cases/checker.h"
#include "bench/cases/fuzz.h"
#include "networks/compile/executor.h"
#include "networks/reference_executor.h"

namespace xnorbench {
namespace {

std::string read(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Example, IsInTheListAndFoundByName) {
  EXPECT_EQ(all_implementations().back()->info().name, "cpu_xnor_example");
  EXPECT_EQ(find_implementations("*example").size(), 1U);
}

TEST(Example, AgreesWithTheOracleOnEveryTrap) {
  CheckTally tally;
  for (const ConvProblem& problem : trap_problems())
    for (std::uint64_t seed : {0U, 1U, 2U})
      check_problem(problem, seed, find_implementations("*example"), {1, 2}, tally);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.statuses["cpu_xnor_example"]["ok"], tally.problems);
}

TEST(Example, RunsANetwork) {
  Graph graph("two_layers", {PadValue::zero, ZeroRule::plus});
  NodeId x = graph.input({1, 6, 5, 70});
  x = graph.binary_convolution("first", x, 33, {3, 1, 1});
  graph.binary_convolution("second", graph.batch_norm("norm", x), 20, {3, 2, 1});
  const NetworkParameters parameters = random_parameters(graph, 5);
  std::vector<float> input(static_cast<std::size_t>(graph.input_shape().count()));
  std::iota(input.begin(), input.end(), -1000.0F);

  Ledger ledger;
  Context context{ledger, 1};
  Executor executor(graph, parameters, *find_implementations("cpu_xnor_example")[0],
                    FloatBackend::direct, context);
  executor.set_input(input);
  executor.run();
  const std::vector<float> expected =
      run_reference(graph, parameters, input, FloatBackend::direct, 1);
  EXPECT_EQ(executor.output(), expected);
}

TEST(Example, IsShownInTheDocumentationAsItIs) {
  const std::string source = read(XNORBENCH_EXAMPLE_SOURCE);
  ASSERT_FALSE(source.empty());
  EXPECT_NE(read(XNORBENCH_EXAMPLE_PAGE).find(source), std::string::npos)
      << "docs/adding_an_implementation.md must show tests/example/cpu_xnor_example.cpp unchanged";
}

}  // namespace
}  // namespace xnorbench
