#include "reference/onednn_convolution.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace xnorbench {
namespace {

using dnnl::memory;

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// oneDNN keeps generated kernels for later. Layers of one network share them, as they do for any
/// user. The next repetition must not find them: its preparation time would leave out their making.
class KernelCache {
 public:
  KernelCache() { ++users_; }
  ~KernelCache() {
    if (--users_ > 0) return;
    const int capacity = dnnl::get_primitive_cache_capacity();
    dnnl::set_primitive_cache_capacity(0);
    dnnl::set_primitive_cache_capacity(capacity);
  }
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

 private:
  static inline int users_ = 0;
};

/// oneDNN takes its number of threads from OpenMP's setting for the calling thread.
class ThreadSetting {
 public:
  explicit ThreadSetting(int threads) : before_(omp_get_max_threads()) {
    omp_set_num_threads(threads);
  }
  ~ThreadSetting() { omp_set_num_threads(before_); }
  ThreadSetting(const ThreadSetting&) = delete;
  ThreadSetting& operator=(const ThreadSetting&) = delete;

 private:
  int before_;
};

/// oneDNN's data types of an arithmetic.
struct DataTypes {
  memory::data_type source, weights, bias, destination;
};

DataTypes data_types(const OnednnArithmetic& arithmetic) {
  using Type = memory::data_type;
  if (arithmetic.types == OnednnArithmetic::Types::f32)
    return {Type::f32, Type::f32, Type::f32, Type::f32};
  return {Type::u8, Type::s8, Type::s32, Type::s32};
}

memory::dims weight_dims(const ConvShape& s) {
  if (s.groups == 1) return {s.out_channels, s.in_channels, s.kernel_height, s.kernel_width};
  return {s.groups, s.group_out_channels(), s.group_in_channels(), s.kernel_height, s.kernel_width};
}

memory::format_tag plain_weight_tag(const ConvShape& s) {
  return s.groups == 1 ? memory::format_tag::oihw : memory::format_tag::goihw;
}

#if DNNL_VERSION_MAJOR >= 3
/// The value is an argument of each call.
void set_source_zero_point(dnnl::primitive_attr& attributes, int) {
  attributes.set_zero_points_mask(DNNL_ARG_SRC, 0);
}
#else
void set_source_zero_point(dnnl::primitive_attr& attributes, int value) {
  attributes.set_zero_points(DNNL_ARG_SRC, 0, {value});
}
#endif

/// A pointwise layer is one matrix product over the pixels of all images, which lie one behind the
/// other. oneDNN would take image by image: on tensors of one pixel (a fully connected layer) it
/// would read all weights for each image.
ConvShape with_images_joined(ConvShape s) {
  if (!s.is_pointwise() || s.groups != 1) return s;
  s.in_height *= s.batch;
  s.batch = 1;
  return s;
}

/// Source and destination are both fixed to channels-last. If only one of them is, version 2.6
/// falls back to its reference kernel.
dnnl::convolution_forward::primitive_desc describe(const OnednnArithmetic& arithmetic,
                                                   const ConvShape& shape, int threads) {
  const ConvShape s = with_images_joined(shape);
  const ThreadSetting setting(threads);  // the primitive is generated for this many
  const DataTypes types = data_types(arithmetic);
  const memory::desc source({s.batch, s.in_channels, s.in_height, s.in_width}, types.source,
                            memory::format_tag::nhwc);
  const memory::desc destination({s.batch, s.out_channels, s.out_height(), s.out_width()},
                                 types.destination, memory::format_tag::nhwc);
  const memory::desc weights(weight_dims(s), types.weights, memory::format_tag::any);
  const memory::desc bias = arithmetic.with_bias
                                ? memory::desc({s.out_channels}, types.bias, memory::format_tag::x)
                                : memory::desc();
  const memory::dims pads{s.pad_height, s.pad_width};
  const memory::dims strides{s.stride_height, s.stride_width};
  const memory::dims dilations{s.dilation_height - 1, s.dilation_width - 1};
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_fpmath_mode(
      dnnl::fpmath_mode::strict);  // float must stay float, whatever the environment says
  if (arithmetic.source_zero_point != 0)
    set_source_zero_point(attributes, arithmetic.source_zero_point);
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto algorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  dnnl::convolution_forward::primitive_desc description(engine(), kind, algorithm, source, weights,
                                                        bias, destination, strides, dilations, pads,
                                                        pads, attributes);
#else
  const dnnl::convolution_forward::desc operation(kind, algorithm, source, weights, bias,
                                                  destination, strides, dilations, pads, pads);
  dnnl::convolution_forward::primitive_desc description(operation, attributes, engine());
#endif
  return description;
}

}  // namespace

struct OnednnConvolution::Primitive {
  KernelCache
      cache;  // emptied after the last primitive is gone: the first member is destroyed last
  dnnl::convolution_forward::primitive_desc description;
  dnnl::convolution_forward primitive;
  dnnl::stream stream;
  int threads;
  std::int32_t source_zero_point;
  Buffer weights, bias;
  std::unordered_map<int, memory> arguments;
};

OnednnConvolution::OnednnConvolution(const OnednnArithmetic& arithmetic, const ConvShape& shape,
                                     const void* weights, const void* bias, int threads,
                                     Category category, Ledger& ledger) {
  const auto description = describe(arithmetic, shape, threads);
  // Asked again here, since the kernel may depend on the number of threads.
  if (is_onednn_reference_kernel(description.impl_info_str()))
    throw std::runtime_error(
        fmt::format("oneDNN has only its reference kernel ({}) for this shape and {} thread(s)",
                    description.impl_info_str(), threads));
  primitive_.reset(new Primitive{{},
                                 description,
                                 dnnl::convolution_forward(description),
                                 dnnl::stream(engine()),
                                 threads,
                                 arithmetic.source_zero_point,
                                 {},
                                 {},
                                 {}});
  Primitive& p = *primitive_;

  p.weights = ledger.allocate(category, description.weights_desc().get_size(), "oneDNN weights");
  memory own_weights(description.weights_desc(), engine(), p.weights.data());
  // The reorder only reads its source; the C++ interface has no const form.
  memory given_weights(
      memory::desc(weight_dims(shape), data_types(arithmetic).weights, plain_weight_tag(shape)),
      engine(), const_cast<void*>(weights));
  dnnl::reorder(given_weights, own_weights).execute(p.stream, given_weights, own_weights);
  p.stream.wait();

  p.arguments.emplace(DNNL_ARG_WEIGHTS, own_weights);
  p.arguments.emplace(DNNL_ARG_SRC, memory(description.src_desc(), engine(), nullptr));
  p.arguments.emplace(DNNL_ARG_DST, memory(description.dst_desc(), engine(), nullptr));
  p.arguments.emplace(DNNL_ARG_SCRATCHPAD,
                      memory(description.scratchpad_desc(), engine(), nullptr));
  if (arithmetic.with_bias) {
    p.bias =
        ledger.allocate(Category::parameters, description.bias_desc().get_size(), "oneDNN bias");
    std::memcpy(p.bias.data(), bias, p.bias.size());
    p.arguments.emplace(DNNL_ARG_BIAS, memory(description.bias_desc(), engine(), p.bias.data()));
  }
#if DNNL_VERSION_MAJOR >= 3
  if (p.source_zero_point != 0)
    p.arguments.emplace(DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                        memory({{1}, memory::data_type::s32, memory::format_tag::x}, engine(),
                               &p.source_zero_point));
#endif
}

OnednnConvolution::~OnednnConvolution() = default;
OnednnConvolution::OnednnConvolution(OnednnConvolution&& other) noexcept = default;

std::string OnednnConvolution::kernel_name() const {
  return primitive_->description.impl_info_str();
}

std::size_t OnednnConvolution::scratchpad_bytes() const {
  return primitive_->description.scratchpad_desc().get_size();
}

void OnednnConvolution::run(const void* source, void* destination, std::byte* scratchpad) {
  Primitive& p = *primitive_;
  const ThreadSetting setting(p.threads);
  p.arguments.at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(source));
  p.arguments.at(DNNL_ARG_DST).set_data_handle(destination);
  p.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad);
  p.primitive.execute(p.stream, p.arguments);
  p.stream.wait();
}

Support onednn_support(const OnednnArithmetic& arithmetic, const ConvShape& shape) {
  // Version 2.6 counts pixels in 32 bits, and divides by what is left of 2^32 of them.
  constexpr std::int64_t most_pixels = INT32_MAX;
  if (std::max(shape.in_pixels(), shape.out_pixels()) > most_pixels)
    return Support::unsupported(
        fmt::format("a tensor of more than {} pixels is too large for oneDNN", most_pixels));
  try {
    const std::string kernel = describe(arithmetic, shape, 1).impl_info_str();
    if (is_onednn_reference_kernel(kernel))
      return Support::unsupported("oneDNN has only its reference kernel (" + kernel +
                                  ") for this shape");
    // Seen in 2.6.3: some sums of grouped convolutions were wrong (`check` with
    // ic129_ih2_iw4_oc6_kh4_ph1_pw0_g3 shows it).
    if (arithmetic.source_zero_point != 0 && kernel.find("gemm") != std::string::npos)
      return Support::unsupported("oneDNN's kernel for this shape (" + kernel +
                                  ") is wrong with a source zero point");
  } catch (const dnnl::error& error) {
    return Support::unsupported(std::string("oneDNN: ") + error.what());
  }
  return {};
}

bool is_onednn_reference_kernel(const std::string& kernel_name) {
  return kernel_name.find("ref") != std::string::npos;
}

std::string onednn_isa(const std::string& kernel_name) {
  const std::size_t colon = kernel_name.find(':');
  return colon == std::string::npos ? kernel_name : kernel_name.substr(colon + 1);
}

}  // namespace xnorbench
