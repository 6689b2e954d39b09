// The elementwise operations of core/elementwise.h on the CPU.
#pragma once

#include "core/elementwise.h"

namespace xnorbench {

class HostElementwiseOperations final : public ElementwiseOperations {
 public:
  explicit HostElementwiseOperations(const CpuShare& cpu) : cpu_(cpu), loops_(row_loops(cpu.isa)) {}

  bool write_signs_too() const override { return true; }
  void sign(const PackedFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatTensor tensor,
            AffineView affine, void* packed_input) const override {
    sign_pass(format, rule, pixels, tensor, affine, packed_input, cpu_);
  }
  void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                   AffineView affine, std::optional<float> relu_slope, FloatTensor out,
                   std::span<const SignTarget> signs = {}) const override;
  void add(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a, ConstFloatTensor addend,
           FloatTensor out, std::span<const SignTarget> signs = {}) const override;
  void average_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                    ConstFloatTensor a, FloatTensor out,
                    std::span<const SignTarget> signs = {}) const override;
  void max_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                ConstFloatTensor a, FloatTensor out,
                std::span<const SignTarget> signs = {}) const override;
  void upsample_add(const TensorShape& in, ConstFloatTensor a, ConstFloatTensor addend,
                    FloatTensor out, std::span<const SignTarget> signs = {}) const override;

 private:
  template <typename Combine, typename Finish>
  void pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
            ConstFloatTensor a, FloatTensor out, std::span<const SignTarget> signs, Combine combine,
            Finish finish) const;
  /// y = a + addend, or a alone; y may be either of them.
  void add_rows(Extent extent, ConstFloatTensor a, ConstFloatTensor addend, FloatTensor y) const;

  CpuShare cpu_;
  const RowLoops& loops_;
};

}  // namespace xnorbench
