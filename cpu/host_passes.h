// The passes of core/passes.h on the CPU.
#pragma once

#include "core/passes.h"

namespace xnorbench {

class HostPasses final : public Passes {
 public:
  explicit HostPasses(const CpuShare& cpu) : cpu_(cpu), loops_(row_loops(cpu.isa)) {}

  bool write_signs_too() const override { return true; }
  void sign(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map, AffineView affine,
            void* operand) const override {
    sign_pass(format, rule, pixels, map, affine, operand, cpu_);
  }
  void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                   std::optional<float> relu_slope, FloatMap out, std::span<const SignTarget> signs = {}) const override;
  void add(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
           std::span<const SignTarget> signs = {}) const override;
  void average_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                    std::span<const SignTarget> signs = {}) const override;
  void max_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
                std::span<const SignTarget> signs = {}) const override;
  void upsample_add(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
                    std::span<const SignTarget> signs = {}) const override;

 private:
  template <typename Combine, typename Finish>
  void pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a, FloatMap out,
            std::span<const SignTarget> signs, Combine combine, Finish finish) const;
  /// y = a + addend, or a alone; y may be either of them.
  void add_rows(Extent extent, ConstFloatMap a, ConstFloatMap addend, FloatMap y) const;

  CpuShare cpu_;
  const RowLoops& loops_;
};

}  // namespace xnorbench
