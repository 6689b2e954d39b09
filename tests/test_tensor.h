// A float tensor for tests, which may be a slice of a wider one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/random.h"
#include "core/tensor.h"

namespace xnorbench {

/// Channels `offset` .. `offset + channels` of pixels that are `offset + channels + behind` wide.
/// All elements are `untouched` at first.
class TestTensor {
 public:
  static constexpr float untouched = 12345.0F;

  TestTensor(std::int64_t pixels, std::int64_t channels, std::int64_t offset = 0,
             std::int64_t behind = 0)
      : pixels_(pixels),
        channels_(channels),
        offset_(offset),
        stride_(offset + channels + behind),
        data_(static_cast<std::size_t>(pixels * stride_), untouched) {}

  static TestTensor random(std::uint64_t seed, std::int64_t pixels, std::int64_t channels,
                           std::int64_t offset = 0, std::int64_t behind = 0) {
    Random random(seed);
    TestTensor tensor(pixels, channels, offset, behind);
    for (std::int64_t p = 0; p < pixels; ++p)
      for (std::int64_t c = 0; c < channels; ++c) tensor.at(p, c) = random.uniform(-2.0F, 2.0F);
    return tensor;
  }

  float& at(std::int64_t pixel, std::int64_t c) {
    return data_[static_cast<std::size_t>(pixel * stride_ + offset_ + c)];
  }
  float at(std::int64_t pixel, std::int64_t c) const {
    return data_[static_cast<std::size_t>(pixel * stride_ + offset_ + c)];
  }
  FloatTensor tensor() { return {data_.data() + offset_, stride_}; }
  ConstFloatTensor const_tensor() const { return {data_.data() + offset_, stride_}; }

  /// Fails unless every element is expected(pixel, channel), bit for bit, and nothing beside the
  /// slice was written.
  template <typename F>
  void expect(F&& expected) const {
    for (std::int64_t p = 0; p < pixels_; ++p)
      for (std::int64_t i = 0; i < stride_; ++i) {
        const float actual = data_[static_cast<std::size_t>(p * stride_ + i)];
        const bool inside = i >= offset_ && i < offset_ + channels_;
        const float wanted = inside ? expected(p, i - offset_) : untouched;
        ASSERT_EQ(std::memcmp(&actual, &wanted, sizeof(float)), 0)
            << "pixel " << p << ", channel " << i - offset_ << ": " << actual << " instead of "
            << wanted;
      }
  }

 private:
  std::int64_t pixels_, channels_, offset_, stride_;
  std::vector<float> data_;
};

}  // namespace xnorbench
