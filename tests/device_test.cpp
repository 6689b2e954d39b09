// The CUDA half against the CPU's: skipped, and counted as skipped, without a device. The same
// tests run in tests/simulated with kernels on the host, in three orders of threads and blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "bench/cases/checker.h"
#include "bench/cases/fuzz.h"
#include "core/cuda_module.h"
#include "networks/compile/device_check.h"
#include "networks/models/network_list.h"
#include "networks/parameters.h"
#include "networks/reference_executor.h"
#include "tests/executor_check.h"
#include "tests/random_graph.h"

namespace xnorbench {
namespace {

class CudaDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const Support support = cuda_support(); !support) GTEST_SKIP() << support.reason;
  }
};
using CudaLayers = CudaDevice;
using CudaElementwiseOperations = CudaDevice;
using CudaNetworks = CudaDevice;

TEST_F(CudaDevice, NewMemoryIsZeroAndKeepsWhatIsWritten) {
  Ledger ledger(cuda_module().device());
  for (std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, std::size_t{4097}, std::size_t{1} << 20}) {
    const Buffer buffer = ledger.allocate(Category::input_output, bytes, "a test");
    std::vector<unsigned char> values(bytes, 1);
    ledger.device().read(values.data(), buffer.data(), bytes);
    EXPECT_EQ(values, std::vector<unsigned char>(bytes, 0));
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<unsigned char>(i * 7);
    ledger.device().write(buffer.data(), values.data(), bytes);
    std::vector<unsigned char> found(bytes);
    ledger.device().read(found.data(), buffer.data(), bytes);
    EXPECT_EQ(found, values);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % buffer_alignment, 0U);
  }
  EXPECT_EQ(ledger.current().total(), 0U);
}

TEST_F(CudaDevice, HasAClockAndRunsWhatItTimes) {
  Device& device = cuda_module().device();
  EXPECT_GT(device.measure_clock_hz(), 0.0);
  int calls = 0;
  EXPECT_GE(device.time_ns([&calls] { ++calls; }), 0.0);
  EXPECT_EQ(calls, 1);
  device.evict_caches();
  EXPECT_GT(device.bytes_in_use(), 0U);
}

TEST_F(CudaDevice, IsDescribed) {
  const auto description = cuda_description();
  for (const char* field :
       {"name", "compute_capability", "memory_bytes", "driver_cuda", "cublas", "cudnn"})
    EXPECT_TRUE(description.contains(field)) << field;
}

void expect_right(const ConvProblem& problem, std::uint64_t seed,
                  std::map<std::string, int>& compared) {
  CheckTally tally;
  check_problem(problem, seed, find_implementations("cuda_*"), {1}, tally);
  for (const std::string& fault : tally.faults) ADD_FAILURE() << fault;
  for (const auto& [name, statuses] : tally.statuses)
    if (statuses.contains("ok")) compared[name] += 1;
}

/// Around the tiles of 64 channels and 16 or 64 pixels and the steps of 8 words, beside the traps
/// of all implementations.
std::vector<ConvProblem> tile_problems() {
  std::vector<ConvProblem> problems;
  for (std::int64_t channels : {1, 32, 63, 64, 65, 127, 128, 129, 192, 256})
    for (std::int64_t outputs : {1, 63, 64, 65, 130})
      for (const char* rest : {"_ih1", "_ih4_iw5_kh3_ph1", "_ih9_iw8_kh3_ph1_pad-1_dstf32sign"})
        problems.push_back(parse_problem(fmt::format("ic{}_oc{}{}", channels, outputs, rest)));
  for (std::int64_t words = 1; words <= 17; ++words)  // K in steps of 8 words
    problems.push_back(parse_problem(fmt::format("ic{}_iw17_oc3_dstsign", words * 64)));
  for (const char* text :
       {"ic128_ih5_oc128_kh3_ph1_g2_dstsign", "ic128_ih5_oc130_kh3_ph1_g2_dstf32sign",
        "ic6_ih9_oc128_kh3_ph1_g2_pad1", "ic64_ih4_oc64_kh3_ph4_pw5",
        "n3_ic70_ih7_iw5_oc66_kh3_kw2_ph1_sh2_dw2_dstf32_srcf32",
        "n2_ic64_ih17_iw16_oc64_kh3_ph1_pad-1_zerominus_dstsign_srcf32"})
    problems.push_back(parse_problem(text));
  return problems;
}

TEST_F(CudaLayers, GiveTheOraclesResultAroundEveryTile) {
  std::map<std::string, int> compared;
  std::uint64_t seed = 0;
  for (const ConvProblem& problem : tile_problems()) expect_right(problem, seed++, compared);
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"})
    EXPECT_GE(compared[name], static_cast<int>(tile_problems().size()))
        << name << " supports every shape";
}

TEST_F(CudaLayers, GiveTheOraclesResultOnKnownTrapsAndRandomProblems) {
  std::map<std::string, int> compared;
  for (const ConvProblem& problem : trap_problems())
    for (std::uint64_t seed = 0; seed < 3; ++seed) expect_right(problem, seed, compared);
  Random random(11);
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    expect_right(random_problem(random), seed, compared);
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"})
    EXPECT_GT(compared[name], 100) << name;
}

/// A tensor in device memory, of `stride` floats a pixel, some of them special.
struct DeviceTensor {
  std::vector<float> host;
  Buffer buffer;
  std::int64_t stride;

  DeviceTensor(Ledger& ledger, std::int64_t pixels, std::int64_t stride, std::uint64_t seed)
      : stride(stride) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float specials[] = {0.0F,     -0.0F,     std::numeric_limits<float>::quiet_NaN(),
                                  infinity, -infinity, std::numeric_limits<float>::denorm_min()};
    Random random(seed);
    host.resize(static_cast<std::size_t>(pixels * stride));
    for (float& x : host)
      x = random.one_in(6) ? specials[random.below(std::size(specials))]
                           : random.uniform(-2.0F, 2.0F);
    buffer = ledger.store<float>(Category::input_output, host, "a test's tensor");
  }
  ConstFloatTensor on_host() const { return {host.data(), stride}; }
  FloatTensor on_host() { return {host.data(), stride}; }
  FloatTensor on_device() const { return {buffer.as<float>(), stride}; }
  ConstFloatTensor const_on_device() const { return {buffer.as<float>(), stride}; }

  void expect_equal(Device& device, const std::string& what) const {
    std::vector<float> found(host.size());
    device.read(found.data(), buffer.data(), buffer.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      const bool both_nan = found[i] != found[i] && host[i] != host[i];  // of which there are many
      ASSERT_TRUE(both_nan ||
                  std::bit_cast<std::uint32_t>(found[i]) == std::bit_cast<std::uint32_t>(host[i]))
          << what << ", float " << i << ": " << found[i] << " instead of " << host[i];
    }
  }
};

/// Runs the same pass on the host's tensors and on the device's.
class BothElementwiseOperations {
 public:
  BothElementwiseOperations()
      : ledger(cuda_module().device()),
        host_(host_device().make_elementwise(1)),
        device_(ledger.device().make_elementwise(1)) {}

  Ledger ledger;

  template <typename F>
  void operator()(F&& pass) {
    pass(*host_, true);
    pass(*device_, false);
  }

 private:
  std::unique_ptr<const ElementwiseOperations> host_, device_;
};

TEST_F(CudaElementwiseOperations, AreTheHostsBitForBit) {
  BothElementwiseOperations both;
  Ledger& ledger = both.ledger;
  Device& device = ledger.device();
  for (std::int64_t channels : {1, 5, 33, 64, 97})
    for (std::int64_t gap : {0, 3}) {
      const TensorShape in{2, 6, 8, channels};
      const std::int64_t stride = channels + gap;
      const DeviceTensor a(ledger, in.pixels(), stride, 1);
      const DeviceTensor addend(ledger, in.pixels(), stride, 2);
      const DeviceTensor scale(ledger, 1, channels, 3), shift(ledger, 1, channels, 4);
      auto affine = [&](bool host) {
        return host ? AffineView{scale.host.data(), shift.host.data()}
                    : AffineView{scale.buffer.as<float>(), shift.buffer.as<float>()};
      };
      auto of = [](const DeviceTensor& tensor, bool host) {
        return host ? tensor.on_host() : tensor.const_on_device();
      };
      auto to = [](DeviceTensor& tensor, bool host) {
        return host ? tensor.on_host() : tensor.on_device();
      };
      auto compare = [&](const char* what, const TensorShape& shape, auto&& pass) {
        DeviceTensor out(ledger, shape.pixels(), stride, 5);
        both([&](const ElementwiseOperations& passes, bool host) {
          pass(passes, host, to(out, host));
        });
        out.expect_equal(device, what);
      };

      for (std::optional<float> slope :
           {std::optional<float>(), std::optional(0.0F), std::optional(0.1F)})
        for (bool normalised : {false, true})
          compare("affine_relu", in,
                  [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
                    passes.affine_relu(in.pixels(), channels, of(a, host),
                                       normalised ? affine(host) : AffineView{}, slope, out);
                  });
      for (bool with_addend : {false, true}) {
        compare("add", in, [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
          passes.add(in.pixels(), channels, of(a, host),
                     with_addend ? of(addend, host) : ConstFloatTensor{}, out);
        });
        const TensorShape half{2, 3, 4, channels};
        compare("upsample_add", in,
                [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
                  passes.upsample_add(half, of(a, host),
                                      with_addend ? of(addend, host) : ConstFloatTensor{}, out);
                });
      }
      compare("add in place", in,
              [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
                passes.add(in.pixels(), channels, {out.data, out.stride}, of(addend, host), out);
              });
      for (const PoolWindow& window :
           {PoolWindow{2, 2, 0, 0}, PoolWindow{3, 2, 1, 1}, PoolWindow{2, 1, 0, 1}}) {
        auto pooled = [&](std::int64_t size) {
          return (size + window.pad_before + window.pad_after - window.size) / window.stride + 1;
        };
        const TensorShape result{2, pooled(in.height), pooled(in.width), channels};
        compare("max_pool", result,
                [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
                  passes.max_pool(in, result, window, of(a, host), out);
                });
      }
      for (std::int64_t size : {2, 3}) {
        const TensorShape result{2, in.height / size, in.width / size, channels};
        compare("average_pool", result,
                [&](const ElementwiseOperations& passes, bool host, FloatTensor out) {
                  passes.average_pool(in, result, {size, size, 0, 0}, of(a, host), out);
                });
      }
      for (ZeroRule rule : {ZeroRule::plus, ZeroRule::minus})
        for (bool normalised : {false, true})
          for (const PackedFormat& format : {PackedFormat{PackedForm::bits, channels},
                                             PackedFormat{PackedForm::bits, channels, channels},
                                             PackedFormat{PackedForm::f32, channels, 1, -1.0F}}) {
            const auto bytes = static_cast<std::size_t>(in.pixels()) * format.bytes_per_pixel();
            std::vector<std::byte> expected(bytes), found(bytes);
            const Buffer packed_input =
                ledger.allocate(Category::activations_bits, bytes, "a test's packed input");
            both([&](const ElementwiseOperations& passes, bool host) {
              passes.sign(format, rule, in.pixels(), of(a, host),
                          normalised ? affine(host) : AffineView{},
                          host ? expected.data() : packed_input.data());
            });
            device.read(found.data(), packed_input.data(), bytes);
            EXPECT_EQ(found, expected) << "sign";
          }
    }
}

/// Everything that can be asked of a network on the device.
void check_network(const Graph& graph, const std::string& implementations, std::uint64_t seed,
                   std::map<std::string, int>& runs) {
  const NetworkParameters parameters = random_parameters(graph, seed);
  const std::vector<float> input = random_input(graph, seed);
  ReferenceTensors reference;
  for (const Implementation* implementation : find_implementations(implementations)) {
    if (!supports_network(graph, *implementation, FloatBackend::direct, this_machine())) continue;
    SCOPED_TRACE(implementation->info().name);
    if (reference.empty())
      reference = run_reference_tensors(graph, parameters, input, FloatBackend::direct, 1);
    Ledger ledger(implementation->device());
    Context context{ledger, 1};
    Executor executor(graph, parameters, *implementation, FloatBackend::direct, context);
    executor.set_input(input);
    executor.run_accounted();
    EXPECT_EQ(ledger.peak(), executor.plan().total) << "memory by category";
    const std::vector<float> first = executor.output();
    EXPECT_EQ(check_with_reference_real_layers(executor, graph, parameters, reference), "");
    const Deviation deviation = measure_deviation(executor, graph, reference);
    // A flipped sign may change a small network by anything.
    if (deviation.flipped_signs == 0) {
      EXPECT_LE(deviation.largest_difference, 1e-4 * deviation.largest_value + 1e-6);
    }
    executor.run();
    EXPECT_EQ(std::memcmp(first.data(), executor.output().data(), first.size() * sizeof(float)), 0)
        << "run() gives what run_accounted() gave";
    EXPECT_EQ(std::memcmp(input.data(), executor.input().data(), input.size() * sizeof(float)), 0)
        << "input changed";
    EXPECT_EQ(executor.run_profiled().size(), executor.program().steps.size());
    ++runs[implementation->info().name];
  }
}

TEST_F(CudaNetworks, RandomGraphsAreTheReferenceUpToRealLayers) {
  std::map<std::string, int> runs;
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check_network(RandomGraph(seed).build("random"), "cuda_*", seed, runs);
  }
  for (const char* name : {"cuda_f32_direct", "cuda_xnor_popc"}) EXPECT_GT(runs[name], 30) << name;
}

TEST_F(CudaNetworks, TheHourglassIsTheReferenceUpToItsRealLayers) {
  std::map<std::string, int> runs;
  check_network(face_alignment(1), "cuda_xnor_popc", 1, runs);
  EXPECT_EQ(runs["cuda_xnor_popc"], 1);
}

TEST_F(CudaNetworks, OfRealLayersAloneRunOnTheLibraries) {
  Graph graph("all_real", {});
  graph.convolution("conv", graph.input({1, 6, 6, 8}), 16, {3, 1, 1});
  for (const Implementation* implementation : find_implementations("cuda_f32_*")) {
    const std::string& name = implementation->info().name;
    EXPECT_EQ(bool(supports_network(graph, *implementation, FloatBackend::direct, this_machine())),
              name != "cuda_f32_direct")
        << name;
  }
}

TEST_F(CudaNetworks, AChangedSignOrValueIsSeen) {
  Graph graph("small", {});
  const NodeId x = graph.binary_convolution("binary", graph.input({1, 6, 6, 16}), 32, {3, 1, 1});
  graph.convolution("real", x, 8, {1, 1, 0});
  const NetworkParameters parameters = random_parameters(graph, 1);
  const std::vector<float> input = random_input(graph, 1);
  const ReferenceTensors right =
      run_reference_tensors(graph, parameters, input, FloatBackend::direct, 1);
  const Implementation& popc = *find_implementations("cuda_xnor_popc")[0];
  if (!supports_network(graph, popc, FloatBackend::direct, this_machine()))
    GTEST_SKIP() << "no real layers here";
  Ledger ledger(popc.device());
  Context context{ledger, 1};
  Executor executor(graph, parameters, popc, FloatBackend::direct, context);
  executor.set_input(input);
  auto message_with = [&](NodeId node, std::size_t element, float difference) {
    ReferenceTensors wrong = right;
    wrong[node][element] += difference;
    return check_with_reference_real_layers(executor, graph, parameters, wrong);
  };
  EXPECT_EQ(check_with_reference_real_layers(executor, graph, parameters, right), "");
  EXPECT_NE(message_with(0, 17, right[0][17] > 0 ? -10.0F : 10.0F).find("1 of 576 signs"),
            std::string::npos);
  EXPECT_NE(message_with(1, 100, 1e-3F).find("what layer real reads"), std::string::npos);
  EXPECT_NE(message_with(2, 100, 10.0F).find("real layer real: differs"), std::string::npos);
}

}  // namespace
}  // namespace xnorbench
