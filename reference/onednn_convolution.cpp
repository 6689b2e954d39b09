#include "reference/onednn_convolution.h"

#include <omp.h>

#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <utility>

namespace xnorbench {
namespace {

using dnnl::memory;

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

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
  omp_set_num_threads(threads);  // the primitive is generated for this many
  const memory::desc source = float_desc({s.batch, s.in_channels, s.in_height, s.in_width}, memory::format_tag::nhwc);
  const memory::desc destination =
      float_desc({s.batch, s.out_channels, s.out_height(), s.out_width()}, memory::format_tag::nhwc);
  const memory::desc weights = float_desc(weight_dims(s), memory::format_tag::any);
  const memory::desc bias = with_bias ? float_desc({s.out_channels}, memory::format_tag::x) : memory::desc();
  const memory::dims pads{s.pad_height, s.pad_width};
  const dnnl::convolution_forward::desc operation(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source, weights, bias, destination,
      {s.stride_height, s.stride_width}, {s.dilation_height - 1, s.dilation_width - 1}, pads, pads);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {operation, attributes, engine()};
}

}  // namespace

struct OnednnConvolution::Primitive {
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
  primitive_ = std::make_unique<Primitive>(
      Primitive{description, dnnl::convolution_forward(description), dnnl::stream(engine()), threads, {}, {}, {}});
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
  omp_set_num_threads(p.threads);
  p.arguments.at(DNNL_ARG_SRC).set_data_handle(const_cast<float*>(source));
  p.arguments.at(DNNL_ARG_DST).set_data_handle(destination);
  p.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad);
  p.primitive.execute(p.stream, p.arguments);
  p.stream.wait();
}

std::string OnednnConvolution::kernel_name_for(const ConvShape& shape, bool with_bias, int threads) {
  return describe(shape, with_bias, threads).impl_info_str();
}

bool is_onednn_reference_kernel(const std::string& kernel_name) { return kernel_name.starts_with("ref"); }

std::string onednn_isa(const std::string& kernel_name) {
  const std::size_t colon = kernel_name.find(':');
  return colon == std::string::npos ? kernel_name : kernel_name.substr(colon + 1);
}

}  // namespace xnorbench
