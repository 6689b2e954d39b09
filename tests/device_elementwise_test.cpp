// Elementwise operations of a GPU: the host's results, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "core/random.h"
#include "tests/cuda_fixture.h"

namespace xnorbench {
namespace {

using CudaElementwiseOperations = CudaTest;

/// The same tensor on the host and on the device, `stride` floats a pixel, some of them special.
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
      const bool both_nan =
          found[i] != found[i] && host[i] != host[i];  // NaN has many bit patterns
      ASSERT_TRUE(both_nan ||
                  std::bit_cast<std::uint32_t>(found[i]) == std::bit_cast<std::uint32_t>(host[i]))
          << what << ", float " << i << ": " << found[i] << " instead of " << host[i];
    }
  }
};

/// Runs the same operation on the host's tensors and on the device's.
class BothDevices {
 public:
  BothDevices()
      : ledger(cuda_module().device()),
        host_(host_device().make_elementwise(1)),
        device_(ledger.device().make_elementwise(1)) {}

  Ledger ledger;

  template <typename F>
  void operator()(F&& operation) {
    operation(*host_, true);
    operation(*device_, false);
  }

 private:
  std::unique_ptr<const ElementwiseOperations> host_, device_;
};

TEST_F(CudaElementwiseOperations, AreTheHostsBitForBit) {
  BothDevices both;
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
      auto compare = [&](const char* what, const TensorShape& shape, auto&& operation) {
        DeviceTensor out(ledger, shape.pixels(), stride, 5);
        both([&](const ElementwiseOperations& elementwise, bool host) {
          operation(elementwise, host, to(out, host));
        });
        out.expect_equal(device, what);
      };

      for (std::optional<float> slope :
           {std::optional<float>(), std::optional(0.0F), std::optional(0.1F)})
        for (bool normalised : {false, true})
          compare("affine_relu", in,
                  [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
                    elementwise.affine_relu(in.pixels(), channels, of(a, host),
                                            normalised ? affine(host) : AffineView{}, slope, out);
                  });
      for (bool with_addend : {false, true}) {
        compare("add", in,
                [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
                  elementwise.add(in.pixels(), channels, of(a, host),
                                  with_addend ? of(addend, host) : ConstFloatTensor{}, out);
                });
        const TensorShape half{2, 3, 4, channels};
        compare("upsample_add", in,
                [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
                  elementwise.upsample_add(
                      half, of(a, host), with_addend ? of(addend, host) : ConstFloatTensor{}, out);
                });
      }
      compare(
          "add in place", in,
          [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
            elementwise.add(in.pixels(), channels, {out.data, out.stride}, of(addend, host), out);
          });
      for (const PoolWindow& window :
           {PoolWindow{2, 2, 0, 0}, PoolWindow{3, 2, 1, 1}, PoolWindow{2, 1, 0, 1}}) {
        auto pooled = [&](std::int64_t size) {
          return (size + window.pad_before + window.pad_after - window.size) / window.stride + 1;
        };
        const TensorShape result{2, pooled(in.height), pooled(in.width), channels};
        compare("max_pool", result,
                [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
                  elementwise.max_pool(in, result, window, of(a, host), out);
                });
      }
      for (std::int64_t size : {2, 3}) {
        const TensorShape result{2, in.height / size, in.width / size, channels};
        compare("average_pool", result,
                [&](const ElementwiseOperations& elementwise, bool host, FloatTensor out) {
                  elementwise.average_pool(in, result, {size, size, 0, 0}, of(a, host), out);
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
            both([&](const ElementwiseOperations& elementwise, bool host) {
              elementwise.sign(format, rule, in.pixels(), of(a, host),
                               normalised ? affine(host) : AffineView{},
                               host ? expected.data() : packed_input.data());
            });
            device.read(found.data(), packed_input.data(), bytes);
            EXPECT_EQ(found, expected) << "sign";
          }
    }
}

}  // namespace
}  // namespace xnorbench
