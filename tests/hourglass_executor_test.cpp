// The whole hourglass, fused on every implementation, against the reference executor; slow
// implementations run it fewer times.
#include <gtest/gtest.h>

#include <map>

#include "core/comparison.h"
#include "networks/models/network_list.h"
#include "tests/executor_check.h"

namespace xnorbench {
namespace {

FloatBackend fastest_float_backend() {
  return available(FloatBackend::onednn) ? FloatBackend::onednn : FloatBackend::direct;
}

std::string hash(const float* values, std::size_t count) {
  return hash_bytes(values, count * sizeof(float));
}

void check_face_alignment(std::uint64_t seed, const std::string& implementations, int threads,
                          Runs runs) {
  const Graph graph = face_alignment(1);
  const NetworkParameters parameters = random_parameters(graph, seed);
  const std::vector<float> input = random_input(graph, seed);
  const FloatBackend real = fastest_float_backend();
  const std::vector<float> expected = run_reference(graph, parameters, input, real, threads);
  const std::string reference_hash = hash(expected.data(), expected.size());
  for (const Implementation* implementation : find_implementations(implementations)) {
    if (!supports_network(graph, *implementation, real, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    ExecutorCheck check(graph, parameters, *implementation, real, threads);
    const bool slow = implementation->info().name == "cpu_f32_direct";
    check.expect_output(input, expected, slow ? Runs::accounted : runs);
    EXPECT_EQ(hash(check.executor().output().data(), expected.size()), reference_hash);
  }
}

TEST(Hourglass, FusedPopcntGivesTheReferenceBitsInEveryKindOfRun) {
  check_face_alignment(1, "cpu_xnor_popcnt", 2, Runs::all);
}

TEST(Hourglass, FusedSwarAndLibrariesGiveTheReferenceBits) {
  check_face_alignment(1, "cpu_xnor_swar,cpu_f32_onednn,cpu_f32_openblas", 1,
                       Runs::once_and_accounted);
}

TEST(Hourglass, FusedImplementationsGiveTheReferenceBitsForOtherParameters) {
  check_face_alignment(2, "cpu_*", 1, Runs::once_and_accounted);
}

TEST(Hourglass, DifferentParametersGiveDifferentOutputs) {
  const Graph graph = face_alignment(1);
  const std::vector<float> input = random_input(graph, 1);
  const Implementation& swar = *find_implementations("cpu_xnor_swar")[0];
  std::map<std::string, std::uint64_t> seeds;  // by hash of the output
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Ledger ledger;
    Context context{ledger, 1};
    Executor executor(graph, random_parameters(graph, seed), swar, fastest_float_backend(),
                      context);
    executor.set_input(input);
    executor.run();
    seeds[hash(executor.output().data(), static_cast<std::size_t>(graph.output_shape().count()))] =
        seed;
  }
  EXPECT_EQ(seeds.size(), 3U);
}

TEST(RealHourglass, GivesTheReferenceBitsWithEachFloatBackend) {
  const Graph graph = face_alignment_real(1);
  const NetworkParameters parameters = random_parameters(graph, 1);
  const std::vector<float> input = random_input(graph, 1);
  for (const Implementation* implementation : host_implementations()) {
    const std::optional<FloatBackend> real = float_backend_of(*implementation);
    if (!real || !supports_network(graph, *implementation, *real, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    const std::vector<float> expected = run_reference(graph, parameters, input, *real, 1);
    ExecutorCheck(graph, parameters, *implementation, *real, 1)
        .expect_output(input, expected,
                       *real == FloatBackend::direct ? Runs::accounted : Runs::once_and_accounted);
  }
}

}  // namespace
}  // namespace xnorbench
