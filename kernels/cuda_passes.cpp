// The passes of a network by kernels.
#include <algorithm>

#include "kernels/convert.h"
#include "kernels/cuda_device.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

class CudaPasses final : public Passes {
 public:
  explicit CudaPasses(Stream stream) : stream_(stream) {}

  bool write_signs_too() const override { return false; }

  void sign(const OperandFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatMap map, AffineView affine,
            void* operand) const override {
    launch_sign_pass(convert(format, operand), rule == ZeroRule::plus,
                     to_pixels(pixels, std::max(map.stride, format.channels)), convert(map), convert(affine), stream_);
  }
  void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, AffineView affine,
                   std::optional<float> relu_slope, FloatMap out, std::span<const SignTarget>) const override {
    launch_affine_relu(to_pixels(pixels, std::max(a.stride, out.stride)), to_int(channels), convert(a), convert(affine),
                       relu_slope.has_value(), relu_slope.value_or(0.0F), convert(out), stream_);
  }
  void add(std::int64_t pixels, std::int64_t channels, ConstFloatMap a, ConstFloatMap addend,
           FloatMap out, std::span<const SignTarget>) const override {
    launch_add(to_pixels(pixels, std::max({a.stride, addend.stride, out.stride})), to_int(channels), convert(a),
               convert(addend), convert(out), stream_);
  }
  void average_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                    FloatMap out, std::span<const SignTarget>) const override {
    launch_average_pool(pool(in, result, window, a, out), stream_);
  }
  void max_pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                FloatMap out, std::span<const SignTarget>) const override {
    launch_max_pool(pool(in, result, window, a, out), stream_);
  }
  void upsample_add(const MapShape& in, ConstFloatMap a, ConstFloatMap addend, FloatMap out,
                    std::span<const SignTarget>) const override {
    to_pixels(4 * in.pixels(), std::max({a.stride, addend.stride, out.stride}));
    launch_upsample_add(to_int(in.batch), to_int(in.height), to_int(in.width), to_int(in.channels), convert(a),
                        convert(addend), convert(out), stream_);
  }

 private:
  static PoolArguments pool(const MapShape& in, const MapShape& result, const PoolWindow& window, ConstFloatMap a,
                            FloatMap out) {
    to_pixels(in.pixels(), a.stride);
    return {to_int(in.height),
            to_int(in.width),
            to_int(result.height),
            to_int(result.width),
            to_int(in.channels),
            to_pixels(result.pixels(), out.stride),
            to_int(window.size),
            to_int(window.stride),
            to_int(window.pad_before),
            convert(a),
            convert(out)};
  }

  Stream stream_;
};

}  // namespace

std::unique_ptr<const Passes> CudaDevice::make_passes(const CpuShare&) { return std::make_unique<CudaPasses>(stream()); }

}  // namespace xnorbench::cuda
