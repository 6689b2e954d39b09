// The elementwise operations of a network, by kernels.
#include <algorithm>

#include "kernels/convert.h"
#include "kernels/cuda_device.h"
#include "kernels/launch.h"

namespace xnorbench::cuda {
namespace {

class CudaElementwiseOperations final : public ElementwiseOperations {
 public:
  explicit CudaElementwiseOperations(Stream stream) : stream_(stream) {}

  bool write_signs_too() const override { return false; }

  void sign(const PackedFormat& format, ZeroRule rule, std::int64_t pixels, ConstFloatTensor tensor,
            AffineView affine, void* packed_input) const override {
    launch_sign_pass(convert(format, packed_input), rule == ZeroRule::plus,
                     to_pixels(pixels, std::max(tensor.stride, format.channels)), convert(tensor),
                     convert(affine), stream_);
  }
  void affine_relu(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a,
                   AffineView affine, std::optional<float> relu_slope, FloatTensor out,
                   std::span<const SignTarget>) const override {
    launch_affine_relu(to_pixels(pixels, std::max(a.stride, out.stride)), to_int(channels),
                       convert(a), convert(affine), relu_slope.has_value(),
                       relu_slope.value_or(0.0F), convert(out), stream_);
  }
  void add(std::int64_t pixels, std::int64_t channels, ConstFloatTensor a, ConstFloatTensor addend,
           FloatTensor out, std::span<const SignTarget>) const override {
    launch_add(to_pixels(pixels, std::max({a.stride, addend.stride, out.stride})), to_int(channels),
               convert(a), convert(addend), convert(out), stream_);
  }
  void average_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                    ConstFloatTensor a, FloatTensor out,
                    std::span<const SignTarget>) const override {
    launch_average_pool(pool(in, result, window, a, out), stream_);
  }
  void max_pool(const TensorShape& in, const TensorShape& result, const PoolWindow& window,
                ConstFloatTensor a, FloatTensor out, std::span<const SignTarget>) const override {
    launch_max_pool(pool(in, result, window, a, out), stream_);
  }
  void upsample_add(const TensorShape& in, ConstFloatTensor a, ConstFloatTensor addend,
                    FloatTensor out, std::span<const SignTarget>) const override {
    to_pixels(4 * in.pixels(), std::max({a.stride, addend.stride, out.stride}));
    launch_upsample_add(to_int(in.batch), to_int(in.height), to_int(in.width), to_int(in.channels),
                        convert(a), convert(addend), convert(out), stream_);
  }

 private:
  static PoolArguments pool(const TensorShape& in, const TensorShape& result,
                            const PoolWindow& window, ConstFloatTensor a, FloatTensor out) {
    to_pixels(in.pixels(), a.stride);
    return {to_int(in.height),    to_int(in.width),      to_int(result.height),
            to_int(result.width), to_int(in.channels),   to_pixels(result.pixels(), out.stride),
            to_int(window.size),  to_int(window.stride), to_int(window.pad_before),
            convert(a),           convert(out)};
  }

  Stream stream_;
};

}  // namespace

std::unique_ptr<const ElementwiseOperations> CudaDevice::make_elementwise(const CpuShare&) {
  return std::make_unique<CudaElementwiseOperations>(stream());
}

}  // namespace xnorbench::cuda
