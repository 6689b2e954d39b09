// Elementwise operations of the host that write signs too: the same bytes as the sign pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "cpu/host_elementwise.h"
#include "tests/test_tensor.h"

namespace xnorbench {
namespace {

/// Each operation with targets in every form writes what a sign pass over its result would.
void check_signs_of_elementwise(std::int64_t channels) {
  const TensorShape in{1, 6, 4, channels}, half{1, 3, 2, channels}, twice{1, 12, 8, channels};
  const TestTensor a = TestTensor::random(71, in.pixels(), channels),
                   b = TestTensor::random(72, in.pixels(), channels),
                   large = TestTensor::random(73, twice.pixels(), channels),
                   scale = TestTensor::random(74, 1, channels),
                   shift = TestTensor::random(75, 1, channels);
  const AffineView affine{scale.const_tensor().data, shift.const_tensor().data};
  using Operation = std::function<void(const HostElementwiseOperations&, FloatTensor,
                                       std::span<const SignTarget>)>;
  const std::vector<std::pair<std::int64_t, Operation>> operations{
      {in.pixels(),
       [&](const HostElementwiseOperations& p, FloatTensor out, auto signs) {
         p.affine_relu(in.pixels(), channels, a.const_tensor(), affine, 0.1F, out, signs);
       }},
      {in.pixels(),
       [&](const HostElementwiseOperations& p, FloatTensor out, auto signs) {
         p.add(in.pixels(), channels, a.const_tensor(), b.const_tensor(), out, signs);
       }},
      {half.pixels(),
       [&](const HostElementwiseOperations& p, FloatTensor out, auto signs) {
         p.average_pool(in, half, {2, 2, 0, 0}, a.const_tensor(), out, signs);
       }},
      {half.pixels(),
       [&](const HostElementwiseOperations& p, FloatTensor out, auto signs) {
         p.max_pool(in, half, {2, 2, 0, 0}, a.const_tensor(), out, signs);
       }},
      {twice.pixels(), [&](const HostElementwiseOperations& p, FloatTensor out, auto signs) {
         p.upsample_add(in, a.const_tensor(), large.const_tensor(), out, signs);
       }}};
  const PackedFormat formats[] = {{PackedForm::bits, channels},
                                  {PackedForm::bits, channels, 3},
                                  {PackedForm::f32, channels, 1, 1.0F},
                                  {PackedForm::u8, channels, 1, 0.0F, 1, 0}};
  for (const auto& [pixels, operation] : operations)
    for (const PackedFormat& format : formats)
      for (int threads : {1, 2}) {
        const auto bytes = static_cast<std::size_t>(pixels) * format.bytes_per_pixel();
        std::vector<std::byte> together(bytes, std::byte{0x55}), alone(bytes, std::byte{0xAA});
        const SignTarget target{format, ZeroRule::minus, affine, 0, together.data()};
        TestTensor out(pixels, channels);
        operation(HostElementwiseOperations(threads), out.tensor(), std::span(&target, 1));
        HostElementwiseOperations(1).sign(format, ZeroRule::minus, pixels, out.const_tensor(),
                                          affine, alone.data());
        ASSERT_EQ(together, alone);
        std::fill(together.begin(), together.end(), std::byte{0x33});
        // The signs alone, without a tensor.
        operation(HostElementwiseOperations(threads), {}, std::span(&target, 1));
        ASSERT_EQ(together, alone);
      }
}

TEST(HostElementwiseOperations, WriteSignsOfWhatTheyWrite) { check_signs_of_elementwise(72); }

/// Without a tensor three pixels fit the small buffer, so that stretches are cut into parts, some
/// of which begin at odd pixels.
TEST(HostElementwiseOperations, WriteSignsAFewPixelsAtATime) { check_signs_of_elementwise(1200); }

/// Parts of a packed input, one after the other, give the same bytes as all at once, whatever was
/// there.
TEST(HostElementwiseOperations, WriteAPackedInputInParts) {
  for (const std::vector<std::int64_t>& parts :
       {std::vector<std::int64_t>{64, 32, 32}, {8, 64, 40}, {24, 128, 5}, {136, 1}}) {
    std::int64_t channels = 0;
    for (std::int64_t part : parts) channels += part;
    const TestTensor tensor = TestTensor::random(76, 5, channels),
                     scale = TestTensor::random(77, 1, channels),
                     shift = TestTensor::random(78, 1, channels);
    const AffineView affine{scale.const_tensor().data, shift.const_tensor().data};
    for (const PackedFormat& format :
         {PackedFormat{PackedForm::bits, channels}, {PackedForm::f32, channels}}) {
      std::vector<std::byte> whole(5 * format.bytes_per_pixel()),
          pieces(whole.size(), std::byte{0xFF});
      HostElementwiseOperations(1).sign(format, ZeroRule::plus, 5, tensor.const_tensor(), affine,
                                        whole.data());
      TestTensor copy(5, channels);
      std::int64_t first = 0;
      for (std::int64_t part : parts) {
        const SignTarget target{format, ZeroRule::plus, affine.from(first), first, pieces.data()};
        HostElementwiseOperations(1).add(5, part, {tensor.const_tensor().data + first, channels},
                                         {}, {copy.tensor().data + first, channels},
                                         std::span(&target, 1));
        first += part;
      }
      ASSERT_EQ(pieces, whole);
    }
  }
}

}  // namespace
}  // namespace xnorbench
