#include "networks/torch7/torch7_modules.h"

#include <initializer_list>
#include <string>

#include "networks/torch7/torch7_object.h"

namespace xnorbench {
namespace {

constexpr std::int64_t bits_per_word = 32;
constexpr std::int64_t tensor_dimensions = 4;

/// Which fields of a module hold a table of tensors instead of a tensor.
enum class Tables { none, output, grad_input, both };

bool on_gpu(const Torch7Options& options) { return options.backend != Torch7Backend::nn; }
std::string float_element(const Torch7Options& options) {
  return on_gpu(options) ? "Cuda" : "Float";
}
/// cudnn.torch has a class of the same fields for it.
std::string accelerated(const std::string& name, const Torch7Options& options) {
  return (options.backend == Torch7Backend::cuda_cudnn ? "cudnn." : "nn.") + name;
}

/// The fields that every module has.
Torch7Object base_module(const std::string& class_name, const Torch7Options& options,
                         Tables tables = Tables::none) {
  Torch7Object object(class_name, float_element(options));
  object.string("_type", "torch." + float_element(options) + "Tensor").boolean("train");
  const bool table_out = tables == Tables::output || tables == Tables::both;
  const bool table_gradient = tables == Tables::grad_input || tables == Tables::both;
  table_out ? object.empty_table("output") : object.tensor("output", {});
  table_gradient ? object.empty_table("gradInput") : object.tensor("gradInput", {});
  return object;
}

void add_gradient(Torch7Object& object, const std::string& name,
                  std::initializer_list<std::int64_t> sizes, const Torch7Options& options) {
  options.gradients ? object.tensor(name, sizes) : object.tensor(name, {});
}

Torch7Object convolution_of(const std::string& class_name, const Torch7Options& options) {
  Torch7Object object = base_module(class_name, options);
  object.numbers({"nInputPlane", "nOutputPlane", "kW", "kH", "dW", "dH", "padW", "padH"});
  return object;
}

std::int64_t real_convolution(const ConvShape& shape, bool bias, const Torch7Options& options) {
  const std::int64_t out = shape.out_channels;
  const std::initializer_list<std::int64_t> sizes{out, shape.group_in_channels(),
                                                  shape.kernel_height, shape.kernel_width};
  Torch7Object object = convolution_of(accelerated("SpatialConvolution", options), options);
  object.tensor("weight", sizes);
  add_gradient(object, "gradWeight", sizes, options);
  if (bias) {
    object.tensor("bias", {out});
    add_gradient(object, "gradBias", {out}, options);
  }
  if (options.has_run) object.tensor("finput", {}).tensor("fgradInput", {});
  return object.bytes();
}

std::int64_t packed_convolution(const ConvShape& shape, const Torch7Options& options) {
  Torch7Object object = convolution_of("bnn.SpatialConvolution", options);
  // bnn.torch leaves out what does not fill a row's last word.
  object.tensor_of(on_gpu(options) ? "CudaInt" : "Int", "weight",
                   {shape.out_channels, shape.k() / bits_per_word});
  object.tensor("alphas", {shape.out_channels, 1, 1, 1}).tensor("finput", {});
  return object.bytes();
}

/// One for each side of the tensor.
std::int64_t padding(const Torch7Options& options) {
  Torch7Object object = base_module("nn.Padding", options);
  object.numbers({"dim", "pad", "nInputDim", "value", "index"});
  object.long_storage("outputSize", options.has_run ? tensor_dimensions : 0);
  return object.bytes();
}

std::int64_t relu(float slope, const Torch7Options& options) {
  if (slope != 0.0F)
    return base_module("nn.LeakyReLU", options).number("negval").boolean("inplace").bytes();
  return base_module(accelerated("ReLU", options), options)
      .numbers({"threshold", "val"})
      .boolean("inplace")
      .bytes();
}

Torch7Modules binary_convolution(const Node& node, const Torch7Options& options) {
  const ConvShape& shape = node.problem.shape;
  const bool real = options.binary == Torch7Binary::real;
  Torch7Modules modules;
  modules.append(real ? relu(0.0F, options) : base_module("bnn.Binary", options).bytes());
  if (options.binary == Torch7Binary::packed) {
    modules.append(packed_convolution(shape, options));
    return modules;
  }
  if (!real && node.problem.pad_value != PadValue::zero)
    for (const std::int64_t pad : {shape.pad_height, shape.pad_width})
      for (int side = 0; pad > 0 && side < 2; ++side) modules.append(padding(options));
  modules.append(real_convolution(shape, false, options));
  return modules;
}

std::int64_t batch_norm(std::int64_t channels, const Torch7Options& options) {
  Torch7Object object = base_module(accelerated("SpatialBatchNormalization", options), options);
  object.boolean("affine").numbers({"eps", "momentum"});
  for (const char* name : {"weight", "bias", "running_mean", "running_var"})
    object.tensor(name, {channels});
  for (const char* name : {"gradWeight", "gradBias"})
    add_gradient(object, name, {channels}, options);
  if (options.has_run) object.tensor("save_mean", {}).tensor("save_std", {});
  return object.bytes();
}

Torch7Object pool(const std::string& class_name, const Torch7Options& options) {
  Torch7Object object = base_module(class_name, options);
  object.numbers({"kW", "kH", "dW", "dH", "padW", "padH"}).boolean("ceil_mode");
  return object;
}

std::int64_t max_pool(const Torch7Options& options) {
  Torch7Object object = pool("nn.SpatialMaxPooling", options);
  if (options.has_run)
    object.numbers({"iheight", "iwidth"})
        .tensor_of(on_gpu(options) ? "CudaLong" : "Long", "indices", {});
  return object.bytes();
}

std::int64_t average_pool(const Torch7Options& options) {
  return pool("nn.SpatialAveragePooling", options)
      .boolean("count_include_pad")
      .boolean("divide")
      .bytes();
}

std::int64_t upsample(const Torch7Options& options) {
  const std::int64_t dimensions = options.has_run ? tensor_dimensions : 0;
  Torch7Object object = base_module("nn.SpatialUpSamplingNearest", options);
  return object.number("scale_factor")
      .long_storage("inputSize", dimensions)
      .long_storage("outputSize", dimensions)
      .bytes();
}

std::int64_t join_table(const Torch7Options& options) {
  Torch7Object object = base_module("nn.JoinTable", options, Tables::grad_input);
  return object.number("dimension")
      .long_storage("size", options.has_run ? tensor_dimensions : 0)
      .bytes();
}

}  // namespace

Torch7Modules torch7_modules(const Node& node, const Torch7Options& options) {
  Torch7Modules modules;
  switch (node.kind) {
    case NodeKind::input: break;
    case NodeKind::convolution:
      modules.append(real_convolution(node.problem.shape, true, options));
      break;
    case NodeKind::binary_convolution: return binary_convolution(node, options);
    case NodeKind::batch_norm: modules.append(batch_norm(node.shape.channels, options)); break;
    case NodeKind::relu: modules.append(relu(node.slope, options)); break;
    case NodeKind::max_pool: modules.append(max_pool(options)); break;
    case NodeKind::average_pool: modules.append(average_pool(options)); break;
    case NodeKind::upsample: modules.append(upsample(options)); break;
    case NodeKind::concat: modules.append(join_table(options)); break;
    case NodeKind::add:
      modules.append(base_module("nn.CAddTable", options, Tables::grad_input).bytes());
      break;
  }
  return modules;
}

std::int64_t torch7_sequential_bytes(const Torch7Modules& parts, bool table_out,
                                     const Torch7Options& options) {
  const Tables tables = table_out ? Tables::output : Tables::none;
  return base_module("nn.Sequential", options, tables)
      .list("modules", parts.count, parts.bytes)
      .bytes();
}

std::int64_t torch7_concat_table_bytes(const Torch7Modules& branches,
                                       const Torch7Options& options) {
  return base_module("nn.ConcatTable", options, Tables::output)
      .list("modules", branches.count, branches.bytes)
      .bytes();
}

std::int64_t torch7_identity_bytes(const Torch7Options& options) {
  return base_module("nn.Identity", options).bytes();
}

std::int64_t torch7_flatten_table_bytes(const Torch7Options& options) {
  return base_module("nn.FlattenTable", options, Tables::both).empty_table("input_map").bytes();
}

}  // namespace xnorbench
