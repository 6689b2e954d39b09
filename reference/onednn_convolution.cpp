#include "reference/onednn_convolution.h"

#include <omp.h>

#include <fmt/format.h>

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

/// oneDNN keeps generated kernels for later. Layers of one network shall share them, as they do for any
/// user; the next repetition shall not find them, or its time of preparation would hide their making.
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
  explicit ThreadSetting(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~ThreadSetting() { omp_set_num_threads(before_); }
  ThreadSetting(const ThreadSetting&) = delete;
  ThreadSetting& operator=(const ThreadSetting&) = delete;

 private:
  int before_;
};

memory::desc float_desc(const memory::dims& dims, memory::format_tag tag) {
  return {dims, memory::data_type::f32, tag};
}

memory::dims weight_dims(const ConvShape& s) {
  if (s.groups == 1) return {s.out_channels, s.in_channels, s.kernel_height, s.kernel_width};
  return {s.groups, s.group_out_channels(), s.group_in_channels(), s.kernel_height, s.kernel_width};
}

memory::format_tag plain_weight_tag(const ConvShape& s) {
  return s.groups == 1 ? memory::format_tag::oihw : memory::format_tag::goihw;
}

/// Source and destination are both fixed to channels-last: given for one of them only, version 2.6
/// falls to its reference kernel.
dnnl::convolution_forward::primitive_desc describe(const ConvShape& s, bool with_bias, int threads) {
  const ThreadSetting setting(threads);  // the primitive is generated for this many
  const memory::desc source = float_desc({s.batch, s.in_channels, s.in_height, s.in_width}, memory::format_tag::nhwc);
  const memory::desc destination =
      float_desc({s.batch, s.out_channels, s.out_height(), s.out_width()}, memory::format_tag::nhwc);
  const memory::desc weights = float_desc(weight_dims(s), memory::format_tag::any);
  const memory::desc bias = with_bias ? float_desc({s.out_channels}, memory::format_tag::x) : memory::desc();
  const memory::dims pads{s.pad_height, s.pad_width};
  const memory::dims strides{s.stride_height, s.stride_width};
  const memory::dims dilations{s.dilation_height - 1, s.dilation_width - 1};
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);  // float must stay float, whatever the environment says
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto algorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  dnnl::convolution_forward::primitive_desc description(engine(), kind, algorithm, source, weights, bias, destination,
                                                        strides, dilations, pads, pads, attributes);
#else
  const dnnl::convolution_forward::desc operation(kind, algorithm, source, weights, bias, destination, strides,
                                                  dilations, pads, pads);
  dnnl::convolution_forward::primitive_desc description(operation, attributes, engine());
#endif
  return description;
}

}  // namespace

struct OnednnConvolution::Primitive {
  KernelCache cache;  // emptied after the last primitive is gone: the first member is destroyed last
  dnnl::convolution_forward::primitive_desc description;
  dnnl::convolution_forward primitive;
  dnnl::stream stream;
  int threads;
  Buffer weights, bias;
  std::unordered_map<int, memory> arguments;
};

OnednnConvolution::OnednnConvolution(const ConvShape& shape, std::span<const float> weights,
                                     std::span<const float> bias, int threads, Category category, Ledger& ledger) {
  const auto description = describe(shape, !bias.empty(), threads);
  // Also for a number of threads that nobody asked about before.
  if (is_onednn_reference_kernel(description.impl_info_str()))
    throw std::runtime_error(fmt::format("oneDNN has only its reference kernel ({}) for this shape and {} thread(s)",
                                         description.impl_info_str(), threads));
  primitive_.reset(new Primitive{
      {}, description, dnnl::convolution_forward(description), dnnl::stream(engine()), threads, {}, {}, {}});
  Primitive& p = *primitive_;

  p.weights = ledger.allocate(category, description.weights_desc().get_size(), "oneDNN weights");
  memory own_weights(description.weights_desc(), engine(), p.weights.data());
  // The reorder only reads its source; the C++ interface has no const form.
  memory given_weights(float_desc(weight_dims(shape), plain_weight_tag(shape)), engine(),
                             const_cast<float*>(weights.data()));
  dnnl::reorder(given_weights, own_weights).execute(p.stream, given_weights, own_weights);
  p.stream.wait();

  p.arguments.emplace(DNNL_ARG_WEIGHTS, own_weights);
  p.arguments.emplace(DNNL_ARG_SRC, memory(description.src_desc(), engine(), nullptr));
  p.arguments.emplace(DNNL_ARG_DST, memory(description.dst_desc(), engine(), nullptr));
  p.arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(description.scratchpad_desc(), engine(), nullptr));
  if (!bias.empty()) {
    p.bias = ledger.allocate(Category::parameters, bias.size_bytes(), "oneDNN bias");
    std::memcpy(p.bias.data(), bias.data(), bias.size_bytes());
    p.arguments.emplace(DNNL_ARG_BIAS, memory(description.bias_desc(), engine(), p.bias.data()));
  }
}

OnednnConvolution::~OnednnConvolution() = default;

std::string OnednnConvolution::kernel_name() const { return primitive_->description.impl_info_str(); }

std::size_t OnednnConvolution::scratchpad_bytes() const {
  return primitive_->description.scratchpad_desc().get_size();
}

void OnednnConvolution::run(const float* source, float* destination, std::byte* scratchpad) {
  Primitive& p = *primitive_;
  const ThreadSetting setting(p.threads);
  p.arguments.at(DNNL_ARG_SRC).set_data_handle(const_cast<float*>(source));
  p.arguments.at(DNNL_ARG_DST).set_data_handle(destination);
  p.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad);
  p.primitive.execute(p.stream, p.arguments);
  p.stream.wait();
}

Support onednn_support(const ConvShape& shape, bool with_bias) {
  try {
    const std::string kernel = describe(shape, with_bias, 1).impl_info_str();
    if (is_onednn_reference_kernel(kernel))
      return Support::unsupported("oneDNN has only its reference kernel (" + kernel + ") for this shape");
  } catch (const dnnl::error& error) {
    return Support::unsupported(std::string("oneDNN: ") + error.what());
  }
  return {};
}

bool is_onednn_reference_kernel(const std::string& kernel_name) { return kernel_name.starts_with("ref"); }

std::string onednn_isa(const std::string& kernel_name) {
  const std::size_t colon = kernel_name.find(':');
  return colon == std::string::npos ? kernel_name : kernel_name.substr(colon + 1);
}

}  // namespace xnorbench
